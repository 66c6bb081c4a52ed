<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * The SMS and chat-app templates of your team, newest first, with the parameters that each takes. Only
 * those with the status `Active` and the approval status `APPROVED` can be sent.
 *
 * @phpstan-import-type Template from Types
 * @phpstan-import-type TemplatePage from Types
 */
final class Templates
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List the templates of your team.
     *
     * The SMS and chat-app templates of your team, newest first, with the parameters that each takes.
     * Only those with the status `Active` and the approval status `APPROVED` can be sent.
     *
     * Returns one page: its `items`, and `next` if there is more, which is the `$cursor` of the next
     * page.
     *
     * @param int|null $limit The number of items on a page.
     * @param string|null $cursor `next` of the previous page. A cursor is valid for the same list
     *     with the same filters; its content has no meaning for clients. Leave it out to get the first
     *     page.
     * @return TemplatePage
     * @throws TarishiException 400: A query parameter is not valid.
     */
    public function list(?int $limit = null, ?string $cursor = null): array
    {
        return $this->caller->call('listTemplates', query: compact('limit', 'cursor'));
    }

    /**
     * Like `list`, but iterates over all pages and fetches each one as it is needed; `$limit` is the
     * page size.
     *
     * @return \Generator<int, Template>
     * @throws TarishiException
     */
    public function each(?int $limit = null): \Generator
    {
        return $this->caller->each('listTemplates', query: compact('limit'));
    }

    /**
     * Get one template.
     *
     * The SMS or chat-app template with this id, with the parameters that it takes.
     *
     * @param string $id The `id` of the template.
     * @param 'Sms'|'ChatApp'|null $product Which one, if an SMS and a chat-app template have the
     *     same id. If absent, that of SMS.
     * @return Template
     * @throws TarishiException 400: A query parameter is not valid.
     * @throws TarishiException 404: The caller's team has no such template.
     */
    public function get(string $id, ?string $product = null): array
    {
        return $this->caller->call('getTemplate', path: ['templateId' => $id], query: compact('product'));
    }
}
