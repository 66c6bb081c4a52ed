<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/** The requests of your team, newest first. */
final class Requests
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
        ?string $correlator = null,
        ?bool $scheduled = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        [$from, $to] = [Caller::instant($from), Caller::instant($to)];
        $query = compact('correlator', 'scheduled', 'from', 'to', 'limit', 'cursor');
        return $this->caller->call('listRequests', query: $query);
    }

    /**
     * All that match, page by page as they are needed. The limit is the size of a page.
     *
     * @return \Generator<int, array<string, mixed>>
     * @throws TarishiException
     */
    public function each(
        ?string $correlator = null,
        ?bool $scheduled = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
    ): \Generator {
        return Pages::eachOf(
            fn (?string $cursor): array => $this->list($correlator, $scheduled, $from, $to, $limit, $cursor),
        );
    }

    /**
     * What was accepted, and how many of its messages are in which state.
     *
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function get(string $requestId): array
    {
        return $this->caller->call('getRequest', path: compact('requestId'));
    }

    /**
     * Cancels what is not submitted yet. Each message is either cancelled and refunded, or sent.
     *
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function cancel(string $requestId): array
    {
        return $this->caller->call('cancelRequest', path: compact('requestId'));
    }

    /**
     * One page of its messages, in the order of the request.
     *
     * @return array{items: list<array<string, mixed>>, next?: string}
     * @throws TarishiException
     */
    public function listMessages(string $requestId, ?int $limit = null, ?string $cursor = null): array
    {
        $query = compact('limit', 'cursor');
        return $this->caller->call('listRequestMessages', path: compact('requestId'), query: $query);
    }

    /**
     * All its messages, page by page as they are needed.
     *
     * @return \Generator<int, array<string, mixed>>
     * @throws TarishiException
     */
    public function eachMessage(string $requestId, ?int $limit = null): \Generator
    {
        return Pages::eachOf(fn (?string $cursor): array => $this->listMessages($requestId, $limit, $cursor));
    }
}
