<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/** What people sent to the senders of your team, newest first. */
final class InboundMessages
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * One page of those that match all filters: its `items`, and `next` if there is more.
     *
     * @return array{items: list<array<string, mixed>>, next?: string}
     * @throws TarishiException
     */
    public function list(
        ?string $phone = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        [$from, $to] = [Caller::instant($from), Caller::instant($to)];
        return $this->caller->call('listInboundMessages', query: compact('phone', 'from', 'to', 'limit', 'cursor'));
    }

    /**
     * All that match, page by page as they are needed. The limit is the size of a page.
     *
     * @return \Generator<int, array<string, mixed>>
     * @throws TarishiException
     */
    public function each(
        ?string $phone = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
    ): \Generator {
        return Pages::eachOf(
            fn (?string $cursor): array => $this->list($phone, $from, $to, $limit, $cursor),
        );
    }
}
