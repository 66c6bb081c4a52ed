<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * The mobile-data campaigns of your team and their rules, newest first. Only those with the status
 * `Active` that have not expired accept requests.
 *
 * @phpstan-import-type Campaign from Types
 * @phpstan-import-type CampaignPage from Types
 */
final class Campaigns
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the campaigns of your team.
     *
     * The mobile-data campaigns of your team and their rules, newest first. Only those with the status
     * `Active` that have not expired accept requests.
     *
     * Returns one page: its `items`, and `next` if there is more, which is the `$cursor` of the next
     * page.
     *
     * @param int|null $limit The number of items on a page.
     * @param string|null $cursor `next` of the previous page. A cursor is valid for the same list
     *     with the same filters; its content has no meaning for clients. Leave it out to get the first
     *     page.
     * @return CampaignPage
     * @throws TarishiException 400: A query parameter is not valid.
     */
    public function list(?int $limit = null, ?string $cursor = null): array
    {
        return $this->caller->call('listCampaigns', query: compact('limit', 'cursor'));
    }

    /**
     * Like `list`, but iterates over all pages and fetches each one as it is needed; `$limit` is the
     * page size.
     *
     * @return \Generator<int, Campaign>
     * @throws TarishiException
     */
    public function each(?int $limit = null): \Generator
    {
        return $this->caller->each('listCampaigns', query: compact('limit'));
    }

    /**
     * Get one campaign.
     *
     * The rules of the campaign with this id.
     *
     * @param string $id The `id` of the campaign.
     * @return Campaign
     * @throws TarishiException 404: The caller's team has no such campaign.
     */
    public function get(string $id): array
    {
        return $this->caller->call('getCampaign', path: ['campaignId' => $id]);
    }
}
