<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/** Gives and previews mobile-data bundles, to `to` alike or to each of `disbursements` its own. */
final class Data
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Returns once the request is accepted for every recipient; receipts report the outcomes.
     *
     * @param string|list<string>|null $to one recipient or several
     * @param string|null $text of an SMS that is sent once the bundle is delivered
     * @param list<array{to: string, denomination: string, text?: string}>|null $disbursements to each its own
     * @param string|null $smsService sends the texts; the campaign's own by default
     * @param string|\DateTimeInterface|null $sendAt text is RFC 3339; at once by default
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function disburse(
        string $campaign,
        string|array|null $to = null,
        ?string $denomination = null,
        ?string $text = null,
        ?array $disbursements = null,
        ?string $smsService = null,
        ?string $correlator = null,
        ?string $callbackUrl = null,
        string|\DateTimeInterface|null $sendAt = null,
        string|\DateTimeInterface|null $validUntil = null,
        ?string $idempotencyKey = null,
        ?string $requestId = null,
        ?float $timeout = null,
    ): array {
        $common = [...Body::receiptRequest($correlator, $callbackUrl), ...Body::schedule($sendAt, $validUntil)];
        return $this->caller->call(
            'disburseMobileData',
            path: ['campaignId' => $campaign],
            body: Body::data($to, $denomination, $text, $disbursements, $smsService, $common),
            idempotencyKey: $idempotencyKey,
            requestId: $requestId,
            timeout: $timeout,
        );
    }

    /**
     * What `disburse` would do: the bundle, cost and problems of each recipient. Gives and costs nothing.
     *
     * @param string|list<string>|null $to one recipient or several
     * @param string|null $text of an SMS that is sent once the bundle is delivered
     * @param list<array{to: string, denomination: string, text?: string}>|null $disbursements to each its own
     * @param string|null $smsService sends the texts; the campaign's own by default
     * @param string|\DateTimeInterface|null $sendAt text is RFC 3339; at once by default
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function preview(
        string $campaign,
        string|array|null $to = null,
        ?string $denomination = null,
        ?string $text = null,
        ?array $disbursements = null,
        ?string $smsService = null,
        ?string $correlator = null,
        ?string $callbackUrl = null,
        string|\DateTimeInterface|null $sendAt = null,
        string|\DateTimeInterface|null $validUntil = null,
        ?string $requestId = null,
        ?float $timeout = null,
    ): array {
        $common = [...Body::receiptRequest($correlator, $callbackUrl), ...Body::schedule($sendAt, $validUntil)];
        return $this->caller->call(
            'previewMobileData',
            path: ['campaignId' => $campaign],
            body: Body::data($to, $denomination, $text, $disbursements, $smsService, $common),
            requestId: $requestId,
            timeout: $timeout,
        );
    }
}
