<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * The services that your team sends SMS and chat-app messages through, newest first. Only those with the
 * status `Active` accept requests.
 *
 * @phpstan-import-type Service from Types
 * @phpstan-import-type ServicePage from Types
 */
final class Services
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the services of your team.
     *
     * The services that your team sends SMS and chat-app messages through, newest first. Only those with
     * the status `Active` accept requests.
     *
     * Returns one page: its `items`, and `next` if there is more, which is the `$cursor` of the next
     * page.
     *
     * @param int|null $limit The number of items on a page.
     * @param string|null $cursor `next` of the previous page. A cursor is valid for the same list
     *     with the same filters; its content has no meaning for clients. Leave it out to get the first
     *     page.
     * @return ServicePage
     * @throws TarishiException 400: A query parameter is not valid.
     */
    public function list(?int $limit = null, ?string $cursor = null): array
    {
        return $this->caller->call('listServices', query: compact('limit', 'cursor'));
    }

    /**
     * Like `list`, but iterates over all pages and fetches each one as it is needed; `$limit` is the
     * page size.
     *
     * @return \Generator<int, Service>
     * @throws TarishiException
     */
    public function each(?int $limit = null): \Generator
    {
        return $this->caller->each('listServices', query: compact('limit'));
    }

    /**
     * Get one service.
     *
     * The SMS or chat-app service with this id.
     *
     * @param string $id The `id` of the service.
     * @param 'Sms'|'ChatApp'|null $product Which one, if an SMS and a chat-app service have the same
     *     id. If absent, that of SMS.
     * @return Service
     * @throws TarishiException 400: A query parameter is not valid.
     * @throws TarishiException 404: The caller's team has no such service.
     */
    public function get(string $id, ?string $product = null): array
    {
        return $this->caller->call('getService', path: ['serviceId' => $id], query: compact('product'));
    }
}
