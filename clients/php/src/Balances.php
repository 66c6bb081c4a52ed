<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * The units of each account of your team: one for SMS, one for each channel and denomination of mobile
 * data, and one for each chat-app template category. A team without a chat-app account is not billed for
 * chat-app messages.
 *
 * @phpstan-import-type Balance from Types
 * @phpstan-import-type BalancePage from Types
 */
final class Balances
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the balances of your team.
     *
     * The units of each account of your team: one for SMS, one for each channel and denomination of
     * mobile data, and one for each chat-app template category. A team without a chat-app account is not
     * billed for chat-app messages.
     *
     * Returns one page: its `items`, and `next` if there is more, which is the `$cursor` of the next
     * page.
     *
     * @param int|null $limit The number of items on a page.
     * @param string|null $cursor `next` of the previous page. A cursor is valid for the same list
     *     with the same filters; its content has no meaning for clients. Leave it out to get the first
     *     page.
     * @return BalancePage
     * @throws TarishiException 400: A query parameter is not valid.
     */
    public function list(?int $limit = null, ?string $cursor = null): array
    {
        return $this->caller->call('listBalances', query: compact('limit', 'cursor'));
    }

    /**
     * Like `list`, but iterates over all pages and fetches each one as it is needed; `$limit` is the
     * page size.
     *
     * @return \Generator<int, Balance>
     * @throws TarishiException
     */
    public function each(?int $limit = null): \Generator
    {
        return $this->caller->each('listBalances', query: compact('limit'));
    }
}
