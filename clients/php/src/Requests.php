<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * The requests of your team that match all filters, newest first, with the states of their messages.
 *
 * @phpstan-import-type AcceptedRequest from Types
 * @phpstan-import-type CancelledRequest from Types
 * @phpstan-import-type ConfirmedRequest from Types
 * @phpstan-import-type Message from Types
 * @phpstan-import-type MessagePage from Types
 * @phpstan-import-type RequestPage from Types
 */
final class Requests
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List your requests.
     *
     * The requests of your team that match all filters, newest first, with the states of their messages.
     *
     * A page looks at a limited number of requests. If few of them match, it has fewer items than
     * `$limit`, or none: continue while the page has `next`.
     *
     * Returns one page: its `items`, and `next` if there is more, which is the `$cursor` of the next
     * page.
     *
     * @param string|null $correlator Requests with this correlator, and their messages.
     * @param bool|null $scheduled Only requests with messages that wait for their `sendAt`.
     * @param string|\DateTimeInterface|null $from What was accepted at this time or later; at most
     *     366 days before `$to`.
     * @param string|\DateTimeInterface|null $to What was accepted before this time. If absent, now.
     * @param int|null $limit The number of items on a page.
     * @param string|null $cursor `next` of the previous page. A cursor is valid for the same list
     *     with the same filters; its content has no meaning for clients. Leave it out to get the first
     *     page.
     * @return RequestPage
     * @throws TarishiException 400: A query parameter is not valid.
     */
    public function list(
        ?string $correlator = null,
        ?bool $scheduled = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->caller->call(
            'listRequests',
            query: compact('correlator', 'scheduled', 'from', 'to', 'limit', 'cursor'),
        );
    }

    /**
     * Like `list`, but iterates over all pages and fetches each one as it is needed; `$limit` is the
     * page size.
     *
     * @return \Generator<int, AcceptedRequest>
     * @throws TarishiException
     */
    public function each(
        ?string $correlator = null,
        ?bool $scheduled = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
    ): \Generator {
        return $this->caller->each(
            'listRequests',
            query: compact('correlator', 'scheduled', 'from', 'to', 'limit'),
        );
    }

    /**
     * Get one of your requests.
     *
     * What was accepted, and how many of its messages are in which state.
     *
     * @param string $requestId The `requestId` of the response that accepted the request.
     * @return AcceptedRequest
     * @throws TarishiException 404: The caller's team has no such request.
     */
    public function get(string $requestId): array
    {
        return $this->caller->call('getRequest', path: compact('requestId'));
    }

    /**
     * List the messages of one of your requests.
     *
     * In the order of the request, each with its state and timeline.
     *
     * Returns one page: its `items`, and `next` if there is more, which is the `$cursor` of the next
     * page.
     *
     * @param string $requestId The `requestId` of the response that accepted the request.
     * @param int|null $limit The number of items on a page.
     * @param string|null $cursor `next` of the previous page. A cursor is valid for the same list
     *     with the same filters; its content has no meaning for clients. Leave it out to get the first
     *     page.
     * @return MessagePage
     * @throws TarishiException 400: A query parameter is not valid.
     * @throws TarishiException 404: The caller's team has no such request.
     */
    public function listMessages(string $requestId, ?int $limit = null, ?string $cursor = null): array
    {
        return $this->caller->call(
            'listRequestMessages',
            path: compact('requestId'),
            query: compact('limit', 'cursor'),
        );
    }

    /**
     * Like `listMessages`, but iterates over all pages and fetches each one as it is needed; `$limit` is
     * the page size.
     *
     * @return \Generator<int, Message>
     * @throws TarishiException
     */
    public function eachMessage(string $requestId, ?int $limit = null): \Generator
    {
        return $this->caller->each(
            'listRequestMessages',
            path: compact('requestId'),
            query: compact('limit'),
        );
    }

    /**
     * Cancel what is not submitted yet.
     *
     * Messages of the request that wait are not sent, and their units are refunded. Messages that are
     * being submitted are not stopped: each is either cancelled and refunded, or sent. A cancelled
     * message with a `receiptRequest` gets a receipt with `Cancelled`.
     *
     * A repeated call has the same response, unless it could cancel more: a message that its network did
     * not take at the first try may wait again.
     *
     * @param string $requestId The `requestId` of the response that accepted the request.
     * @return CancelledRequest
     * @throws TarishiException 404: The caller's team has no such request.
     * @throws TarishiException 409: All messages of the request had left.
     */
    public function cancel(string $requestId): array
    {
        return $this->caller->call('cancelRequest', path: compact('requestId'));
    }

    /**
     * Confirm a one-time code.
     *
     * Says that the person entered the code of this request, or of all its recipients: send each code in
     * a request of its own. From what is confirmed, the guard against SMS pumping learns where real
     * people are; where your team has one, codes that nobody confirms soon stop.
     *
     * Codes are confirmed within 24 hours. A repeated call has the same response and changes nothing.
     *
     * @param string $requestId The `requestId` of the response that accepted the request.
     * @return ConfirmedRequest
     * @throws TarishiException 404: The caller's team has no such request.
     */
    public function confirm(string $requestId): array
    {
        return $this->caller->call('confirmRequest', path: compact('requestId'));
    }
}
