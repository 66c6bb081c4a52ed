<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/** The messages of your team, newest first. */
final class Messages
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
        ?string $requestId = null,
        ?string $product = null,
        ?string $correlator = null,
        ?string $state = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        [$from, $to] = [Caller::instant($from), Caller::instant($to)];
        $query = compact('phone', 'requestId', 'product', 'correlator', 'state', 'from', 'to', 'limit', 'cursor');
        return $this->caller->call('listMessages', query: $query);
    }

    /**
     * All that match, page by page as they are needed. The limit is the size of a page.
     *
     * @return \Generator<int, array<string, mixed>>
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
        return Pages::eachOf(
            fn (?string $cursor): array =>
                $this->list($phone, $requestId, $product, $correlator, $state, $from, $to, $limit, $cursor),
        );
    }
}
