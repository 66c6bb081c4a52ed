<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/** A list of what can also be read by its id. */
final class Resources
{
    private readonly Pages $pages;

    public function __construct(
        private readonly Caller $caller,
        string $operation,
        private readonly string $get,
        private readonly string $idName,
    ) {
        $this->pages = new Pages($caller, $operation);
    }

    /**
     * One page: its `items`, and `next` if there is more, which is the cursor of the next page.
     *
     * @return array{items: list<array<string, mixed>>, next?: string}
     * @throws TarishiException
     */
    public function list(?int $limit = null, ?string $cursor = null): array
    {
        return $this->pages->list($limit, $cursor);
    }

    /**
     * All items, page by page as they are needed. The limit is the size of a page.
     *
     * @return \Generator<int, array<string, mixed>>
     * @throws TarishiException
     */
    public function each(?int $limit = null): \Generator
    {
        return $this->pages->each($limit);
    }

    /**
     * The product says which one, if two services or templates have the same id.
     *
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function get(string $id, ?string $product = null): array
    {
        return $this->caller->call($this->get, path: [$this->idName => $id], query: compact('product'));
    }
}
