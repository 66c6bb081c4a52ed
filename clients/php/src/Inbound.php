<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * The messages that people sent to the senders of your team, newest first. Texts and numbers are kept as
 * long as those of your own messages.
 *
 * @phpstan-import-type InboundMessage from Types
 * @phpstan-import-type InboundPage from Types
 */
final class Inbound
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List what people sent to you.
     *
     * The messages that people sent to the senders of your team, newest first. Texts and numbers are
     * kept as long as those of your own messages.
     *
     * Returns one page: its `items`, and `next` if there is more, which is the `$cursor` of the next
     * page.
     *
     * @param string|null $phone Messages from this number, in any format that requests accept, or
     *     user id.
     * @param string|\DateTimeInterface|null $from What was received at this time or later; at most
     *     366 days before `$to`.
     * @param string|\DateTimeInterface|null $to What was received before this time. If absent, now.
     * @param int|null $limit The number of items on a page.
     * @param string|null $cursor `next` of the previous page. A cursor is valid for the same list
     *     with the same filters; its content has no meaning for clients. Leave it out to get the first
     *     page.
     * @return InboundPage
     * @throws TarishiException 400: A query parameter is not valid.
     */
    public function list(
        ?string $phone = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->caller->call(
            'listInboundMessages',
            query: compact('phone', 'from', 'to', 'limit', 'cursor'),
        );
    }

    /**
     * Like `list`, but iterates over all pages and fetches each one as it is needed; `$limit` is the
     * page size.
     *
     * @return \Generator<int, InboundMessage>
     * @throws TarishiException
     */
    public function each(
        ?string $phone = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
    ): \Generator {
        return $this->caller->each('listInboundMessages', query: compact('phone', 'from', 'to', 'limit'));
    }

    /**
     * Get the file of an inbound message.
     *
     * The file that a person sent, of at most 100 MiB, as the network has it now: chat apps keep files
     * for some days only. `Content-Type` is its type as the network said it, which a program should not
     * trust. The file is streamed: if the network fails on the way, the connection ends before
     * `Content-Length` is reached.
     *
     * @param string $id The `messageId` of the inbound message.
     * @return string
     * @throws TarishiException 404: The caller's team has no such message, or its file is not there.
     */
    public function media(string $id): string
    {
        return $this->caller->file('getInboundMedia', path: ['messageId' => $id]);
    }
}
