<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * The receipts of your team, newest first, each with the latest attempts to post it: when, how long it
 * took, the status and the beginning of the response.
 *
 * @phpstan-import-type Receipt from Types
 * @phpstan-import-type ReceiptPage from Types
 * @phpstan-import-type ReceiptTestResponse from Types
 * @phpstan-import-type ReplayResponse from Types
 */
final class Receipts
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * List receipts and their attempts.
     *
     * The receipts of your team, newest first, each with the latest attempts to post it: when, how long
     * it took, the status and the beginning of the response.
     *
     * Returns one page: its `items`, and `next` if there is more, which is the `$cursor` of the next
     * page.
     *
     * @param string|null $requestId Receipts of this request.
     * @param 'Waiting'|'Delivered'|'Exhausted'|null $state Receipts that are in this state.
     * @param string|\DateTimeInterface|null $from Receipts that were created at this time or later;
     *     at most 366 days before `$to`.
     * @param string|\DateTimeInterface|null $to Receipts that were created before this time. If
     *     absent, now.
     * @param int|null $limit The number of items on a page.
     * @param string|null $cursor `next` of the previous page. A cursor is valid for the same list
     *     with the same filters; its content has no meaning for clients. Leave it out to get the first
     *     page.
     * @return ReceiptPage
     * @throws TarishiException 400: A query parameter is not valid.
     */
    public function list(
        ?string $requestId = null,
        ?string $state = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
        ?string $cursor = null,
    ): array {
        return $this->caller->call(
            'listReceipts',
            query: compact('requestId', 'state', 'from', 'to', 'limit', 'cursor'),
        );
    }

    /**
     * Like `list`, but iterates over all pages and fetches each one as it is needed; `$limit` is the
     * page size.
     *
     * @return \Generator<int, Receipt>
     * @throws TarishiException
     */
    public function each(
        ?string $requestId = null,
        ?string $state = null,
        string|\DateTimeInterface|null $from = null,
        string|\DateTimeInterface|null $to = null,
        ?int $limit = null,
    ): \Generator {
        return $this->caller->each(
            'listReceipts',
            query: compact('requestId', 'state', 'from', 'to', 'limit'),
        );
    }

    /**
     * Get one receipt.
     *
     * The receipt with this `webhook-id`, and the attempts to post it.
     *
     * @param string $receiptId The `webhook-id` of the receipt.
     * @return Receipt
     * @throws TarishiException 404: The caller's team has no such receipt.
     */
    public function get(string $receiptId): array
    {
        return $this->caller->call('getReceipt', path: compact('receiptId'));
    }

    /**
     * Resend a receipt.
     *
     * Resends the receipt now, whatever its state, with the same `webhook-id` and a new signature. If it
     * fails, its attempts begin again.
     *
     * @param string $receiptId The `webhook-id` of the receipt.
     * @return Receipt
     * @throws TarishiException 404: The caller's team has no such receipt.
     */
    public function resend(string $receiptId): array
    {
        return $this->caller->call('resendReceipt', path: compact('receiptId'));
    }

    /**
     * Replay receipts.
     *
     * Has the receipts of a period posted again, each with its own `webhook-id`: those whose attempts
     * are exhausted, or all. `$callbackUrl` and `$requestId` narrow it to one endpoint or request.
     * Receipts that still wait for an attempt are left alone, and so are receipts that were replayed
     * within the last hour: the same replay twice posts nothing twice.
     *
     * One call replays up to 10,000 receipts, the oldest first; while `more` is true, send the same call
     * again. They are posted at 50 a second. A team can have 100,000 receipts replayed in an hour, in
     * one call at a time.
     *
     * @param string|\DateTimeInterface $from Receipts that were created at this time or later.
     * @param 'Exhausted'|'All' $which Only receipts whose attempts are exhausted, or those that were
     *     delivered as well.
     * @param string|\DateTimeInterface|null $to Receipts that were created before this time. If
     *     absent, now.
     * @param string|null $callbackUrl Receipts that are posted to this URL, as the `receiptRequest`
     *     has it.
     * @param string|null $requestId Receipts of this request.
     * @return ReplayResponse
     * @throws TarishiException 400: The body breaks the schema, or its period is empty.
     */
    public function replay(
        string|\DateTimeInterface $from,
        string $which,
        string|\DateTimeInterface|null $to = null,
        ?string $callbackUrl = null,
        ?string $requestId = null,
    ): array {
        return $this->caller->call(
            'replayReceipts',
            body: compact('from', 'to', 'callbackUrl', 'requestId', 'which'),
        );
    }

    /**
     * Post a signed sample to a URL.
     *
     * Posts a receipt that belongs to no request, signed like every other receipt of your client, and
     * shows what your endpoint responded. There is one attempt.
     *
     * @param string $callbackUrl An absolute http or https URL without user information.
     * @return ReceiptTestResponse
     * @throws TarishiException 400: The body breaks the schema, or the URL may not be called.
     */
    public function test(string $callbackUrl): array
    {
        return $this->caller->call('testReceipt', body: compact('callbackUrl'));
    }
}
