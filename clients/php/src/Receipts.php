<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/** The receipts of your team, newest first, each with its latest attempts. */
final class Receipts
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
        ?string $requestId = null,
        ?string $state = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        [$from, $to] = [Caller::instant($from), Caller::instant($to)];
        $query = compact('requestId', 'state', 'from', 'to', 'limit', 'cursor');
        return $this->caller->call('listReceipts', query: $query);
    }

    /**
     * All that match, page by page as they are needed. The limit is the size of a page.
     *
     * @return \Generator<int, array<string, mixed>>
     * @throws TarishiException
     */
    public function each(
        ?string $requestId = null,
        ?string $state = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
    ): \Generator {
        return Pages::eachOf(
            fn (?string $cursor): array => $this->list($requestId, $state, $from, $to, $limit, $cursor),
        );
    }

    /**
     * The receipt with this `webhook-id`, and the attempts to post it.
     *
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function get(string $receiptId): array
    {
        return $this->caller->call('getReceipt', path: compact('receiptId'));
    }

    /**
     * Has a receipt posted again now.
     *
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function resend(string $receiptId): array
    {
        return $this->caller->call('resendReceipt', path: compact('receiptId'));
    }

    /**
     * Has receipts of a period posted again: those that were given up (`Exhausted`), or `All`. While `more` is true,
     * the same call goes on.
     *
     * @return array{receipts: int, more: bool}
     * @throws TarishiException
     */
    public function replay(
        string|\DateTimeInterface $since,
        string $which,
        string|\DateTimeInterface|null $until = null,
        ?string $callbackUrl = null,
        ?string $requestId = null,
    ): array {
        [$since, $until] = [Caller::instant($since), Caller::instant($until)];
        $body = compact('since', 'until', 'callbackUrl', 'requestId', 'which');
        return $this->caller->call('replayReceipts', body: array_filter($body, fn ($part): bool => $part !== null));
    }

    /**
     * Posts a signed sample to a URL and returns what your endpoint responded.
     *
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function test(string $url): array
    {
        return $this->caller->call('testReceipt', body: compact('url'));
    }
}
