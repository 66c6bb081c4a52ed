<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * What your team may send SMS and chat-app messages as, newest first. Requests through a service whose
 * sender is not approved for a recipient's channel or country are rejected.
 *
 * @phpstan-import-type Sender from Types
 * @phpstan-import-type SenderPage from Types
 */
final class Senders
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the senders of your team.
     *
     * What your team may send SMS and chat-app messages as, newest first. Requests through a service
     * whose sender is not approved for a recipient's channel or country are rejected.
     *
     * Returns one page: its `items`, and `next` if there is more, which is the `$cursor` of the next
     * page.
     *
     * @param int|null $limit The number of items on a page.
     * @param string|null $cursor `next` of the previous page. A cursor is valid for the same list
     *     with the same filters; its content has no meaning for clients. Leave it out to get the first
     *     page.
     * @return SenderPage
     * @throws TarishiException 400: A query parameter is not valid.
     */
    public function list(?int $limit = null, ?string $cursor = null): array
    {
        return $this->caller->call('listSenders', query: compact('limit', 'cursor'));
    }

    /**
     * Like `list`, but iterates over all pages and fetches each one as it is needed; `$limit` is the
     * page size.
     *
     * @return \Generator<int, Sender>
     * @throws TarishiException
     */
    public function each(?int $limit = null): \Generator
    {
        return $this->caller->each('listSenders', query: compact('limit'));
    }
}
