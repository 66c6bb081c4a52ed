<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/** Who opted out of the messages of your team, newest first. */
final class OptOuts
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * One page: its `items`, and `next` if there is more.
     *
     * @return array{items: list<array<string, mixed>>, next?: string}
     * @throws TarishiException
     */
    public function list(?string $phone = null, ?int $limit = null, ?string $cursor = null): array
    {
        return $this->caller->call('listOptOuts', query: compact('phone', 'limit', 'cursor'));
    }

    /**
     * All of them, page by page as they are needed. The limit is the size of a page.
     *
     * @return \Generator<int, array<string, mixed>>
     * @throws TarishiException
     */
    public function each(?string $phone = null, ?int $limit = null): \Generator
    {
        return Pages::eachOf(fn (?string $cursor): array => $this->list($phone, $limit, $cursor));
    }

    /**
     * Numbers that want no more messages.
     *
     * @param list<string> $phones
     * @param string $product `Sms` or `ChatApp`
     * @param string $target `MARKETING` or `ALL`
     * @return array{changed: int, unchanged: int}
     * @throws TarishiException
     */
    public function add(array $phones, string $product, string $target, ?string $serviceId = null): array
    {
        return $this->change('addOptOuts', compact('phones', 'product', 'serviceId', 'target'));
    }

    /**
     * Numbers that want messages again.
     *
     * @param list<string> $phones
     * @param string $product `Sms` or `ChatApp`
     * @param string $consent how and when the people agreed
     * @return array{changed: int, unchanged: int}
     * @throws TarishiException
     */
    public function remove(array $phones, string $product, string $consent, ?string $serviceId = null): array
    {
        return $this->change('removeOptOuts', compact('phones', 'product', 'serviceId', 'consent'));
    }

    /**
     * @param array<string, mixed> $body
     * @return array{changed: int, unchanged: int}
     */
    private function change(string $operation, array $body): array
    {
        return $this->caller->call($operation, body: array_filter($body, fn ($part): bool => $part !== null));
    }
}
