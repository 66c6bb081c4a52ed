<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * Who opted out of the messages of your team, newest first.
 *
 * @phpstan-import-type OptOut from Types
 * @phpstan-import-type OptOutPage from Types
 * @phpstan-import-type OptOutsChanged from Types
 */
final class OptOuts
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List opt-outs.
     *
     * Who opted out of the messages of your team, newest first.
     *
     * Returns one page: its `items`, and `next` if there is more, which is the `$cursor` of the next
     * page.
     *
     * @param string|null $phone Only this number, in any format that requests accept, or user id.
     * @param int|null $limit The number of items on a page.
     * @param string|null $cursor `next` of the previous page. A cursor is valid for the same list
     *     with the same filters; its content has no meaning for clients. Leave it out to get the first
     *     page.
     * @return OptOutPage
     * @throws TarishiException 400: A query parameter is not valid.
     */
    public function list(?string $phone = null, ?int $limit = null, ?string $cursor = null): array
    {
        return $this->caller->call('listOptOuts', query: compact('phone', 'limit', 'cursor'));
    }

    /**
     * Like `list`, but iterates over all pages and fetches each one as it is needed; `$limit` is the
     * page size.
     *
     * @return \Generator<int, OptOut>
     * @throws TarishiException
     */
    public function each(?string $phone = null, ?int $limit = null): \Generator
    {
        return $this->caller->each('listOptOuts', query: compact('phone', 'limit'));
    }

    /**
     * Add opt-outs.
     *
     * A later message of that category to one of the numbers is accepted, but not submitted: its units
     * are refunded, and its receipt says `SubscriberOptedOut` with the reasonCode `opt-out-list`. So do
     * messages that wait to be submitted. A preview has the problem `opted-out`, and stays sendable.
     *
     * @param list<string> $phones 1 to 100 numbers; for `ChatApp` also user ids.
     * @param 'Sms'|'ChatApp' $product SMS or chat-app messages. Bundles are not affected; the SMS
     *     with them are.
     * @param 'MARKETING'|'ALL' $target What the person opted out of: messages of the category
     *     MARKETING, or `ALL`, one-time codes included.
     * @param string|null $serviceId The service it is about. If absent, all services of your team.
     * @return OptOutsChanged
     * @throws TarishiException 400: The body breaks the schema, or a number is not valid. Nothing
     *     was changed.
     * @throws TarishiException 404: The caller's team has no such resource.
     */
    public function add(array $phones, string $product, string $target, ?string $serviceId = null): array
    {
        return $this->caller->call('addOptOuts', body: compact('phones', 'product', 'serviceId', 'target'));
    }

    /**
     * Remove opt-outs.
     *
     * For people who agreed again outside of messaging; a reply such as START does it by itself. Removes
     * what holds for your team, wherever it came from. An opt-out of the whole platform stays.
     *
     * @param list<string> $phones 1 to 100 numbers; for `ChatApp` also user ids.
     * @param 'Sms'|'ChatApp' $product SMS or chat-app messages. Bundles are not affected; the SMS
     *     with them are.
     * @param string $consent How and when the people agreed. It is kept in the audit log for good:
     *     write no phone numbers or names.
     * @param string|null $serviceId The service it is about. If absent, all services of your team.
     * @return OptOutsChanged
     * @throws TarishiException 400: The body breaks the schema, or a number is not valid. Nothing
     *     was changed.
     * @throws TarishiException 404: The caller's team has no such resource.
     */
    public function remove(array $phones, string $product, string $consent, ?string $serviceId = null): array
    {
        return $this->caller->call(
            'removeOptOuts',
            body: compact('phones', 'product', 'serviceId', 'consent'),
        );
    }
}
