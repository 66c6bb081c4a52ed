<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * The messages of your team that match all filters, newest first, each with its state and timeline.
 *
 * @phpstan-import-type Message from Types
 * @phpstan-import-type MessagePage from Types
 */
final class Messages
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Find messages by phone number, request, correlator, product, state or time.
     *
     * The messages of your team that match all filters, newest first, each with its state and timeline.
     *
     * A page looks at a limited number of messages. If few of them match, it has fewer items than
     * `$limit`, or none: continue while the page has `next`.
     *
     * Returns one page: its `items`, and `next` if there is more, which is the `$cursor` of the next
     * page.
     *
     * @param string|null $phone Messages to this number, in any format that requests accept, or user
     *     id.
     * @param string|null $requestId Messages of this request.
     * @param 'Sms'|'MobileData'|'ChatApp'|null $product Messages of this product.
     * @param string|null $correlator Requests with this correlator, and their messages.
     * @param string|null $state Messages that are in this state.
     * @param string|\DateTimeInterface|null $from What was accepted at this time or later; at most
     *     366 days before `$to`.
     * @param string|\DateTimeInterface|null $to What was accepted before this time. If absent, now.
     * @param int|null $limit The number of items on a page.
     * @param string|null $cursor `next` of the previous page. A cursor is valid for the same list
     *     with the same filters; its content has no meaning for clients. Leave it out to get the first
     *     page.
     * @return MessagePage
     * @throws TarishiException 400: A query parameter is not valid.
     */
    public function list(
        ?string $phone = null,
        ?string $requestId = null,
        ?string $product = null,
        ?string $correlator = null,
        ?string $state = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->caller->call(
            'listMessages',
            query: compact('phone', 'requestId', 'product', 'correlator', 'state', 'from', 'to', 'limit', 'cursor'),
        );
    }

    /**
     * Like `list`, but iterates over all pages and fetches each one as it is needed; `$limit` is the
     * page size.
     *
     * @return \Generator<int, Message>
     * @throws TarishiException
     */
    public function each(
        ?string $phone = null,
        ?string $requestId = null,
        ?string $product = null,
        ?string $correlator = null,
        ?string $state = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
    ): \Generator {
        return $this->caller->each(
            'listMessages',
            query: compact('phone', 'requestId', 'product', 'correlator', 'state', 'from', 'to', 'limit'),
        );
    }
}
