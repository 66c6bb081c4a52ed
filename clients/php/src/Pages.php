<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/** A list without filters, which is read page by page or as a whole. */
final class Pages
{
    public function __construct(private readonly Caller $caller, private readonly string $operation)
    {
    }

    /**
     * One page: its `items`, and `next` if there is more, which is the cursor of the next page.
     *
     * @return array{items: list<array<string, mixed>>, next?: string}
     * @throws TarishiException
     */
    public function list(?int $limit = null, ?string $cursor = null): array
    {
        return $this->caller->call($this->operation, query: compact('limit', 'cursor'));
    }

    /**
     * All items, page by page as they are needed. The limit is the size of a page.
     *
     * @return \Generator<int, array<string, mixed>>
     * @throws TarishiException
     */
    public function each(?int $limit = null): \Generator
    {
        return self::eachOf(fn (?string $cursor): array => $this->list($limit, $cursor));
    }

    /**
     * @param \Closure(?string): array{items: list<array<string, mixed>>, next?: string} $read
     * @return \Generator<int, array<string, mixed>>
     */
    public static function eachOf(\Closure $read): \Generator
    {
        $cursor = null;
        do {
            $page = $read($cursor);
            foreach ($page['items'] as $item) {
                yield $item;
            }
            $cursor = $page['next'] ?? null;
        } while ($cursor !== null);
    }
}
