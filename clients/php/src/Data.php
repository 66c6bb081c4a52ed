<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * Mobile-data bundles under a campaign, each with an optional SMS.
 *
 * @phpstan-import-type Disbursement from Body
 * @phpstan-import-type DisbursedMobileData from Types
 * @phpstan-import-type MobileDataPreview from Types
 */
final class Data
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Returns once the request is accepted for every recipient; receipts report the outcomes.
     *
     * @param string $campaign The campaign whose rules the disbursement follows.
     * @param string|list<string>|null $to One phone number or several.
     * @param string|null $denomination The size of the bundle, to all of `$to` alike; one unit each.
     * @param string|null $text An SMS to each recipient whose bundle was delivered.
     * @param list<Disbursement>|null $disbursements Instead of `$to`, its bundle and text: to each
     *     its own.
     * @param string|null $smsService The service that sends the texts; the campaign's own by
     *     default.
     * @param string|null $correlator Your own identifier, repeated in every receipt of the request.
     * @param string|null $callbackUrl Absolute http or https URL without user information to which
     *     receipts are posted.
     * @param string|\DateTimeInterface|null $sendAt From one minute to 30 days after acceptance.
     *     Without a schedule, the messages are sent at once.
     * @param string|\DateTimeInterface|null $validUntil What no network has accepted by then is not
     *     sent: it ends as `Expired`, and its units are refunded. Later than `$sendAt`, by at most 14
     *     days. Absent: the validity of the service, counted from `$sendAt`.
     * @return DisbursedMobileData
     * @throws TarishiException 400: The request breaks a rule of the contract; nothing was debited,
     *     stored or queued.
     * @throws TarishiException 404: The caller's team has no such resource.
     * @throws TarishiException 409: The Idempotency-Key is in use: the first request with it is
     *     still running (`Error-Code: key-in-use`), or had another body (`Error-Code: key-reused`).
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
        $body = Body::data(
            to: $to,
            denomination: $denomination,
            text: $text,
            disbursements: $disbursements,
            smsService: $smsService,
            correlator: $correlator,
            callbackUrl: $callbackUrl,
            sendAt: $sendAt,
            validUntil: $validUntil,
        );
        return $this->caller->call(
            'disburseMobileData',
            path: ['campaignId' => $campaign],
            body: $body,
            idempotencyKey: $idempotencyKey,
            requestId: $requestId,
            timeout: $timeout,
        );
    }

    /**
     * What `disburse` would do: the bundle, cost and problems of each recipient. Gives and costs
     * nothing.
     *
     * @param string $campaign The campaign whose rules the disbursement follows.
     * @param string|list<string>|null $to One phone number or several.
     * @param string|null $denomination The size of the bundle, to all of `$to` alike; one unit each.
     * @param string|null $text An SMS to each recipient whose bundle was delivered.
     * @param list<Disbursement>|null $disbursements Instead of `$to`, its bundle and text: to each
     *     its own.
     * @param string|null $smsService The service that sends the texts; the campaign's own by
     *     default.
     * @param string|null $correlator Your own identifier, repeated in every receipt of the request.
     * @param string|null $callbackUrl Absolute http or https URL without user information to which
     *     receipts are posted.
     * @param string|\DateTimeInterface|null $sendAt From one minute to 30 days after acceptance.
     *     Without a schedule, the messages are sent at once.
     * @param string|\DateTimeInterface|null $validUntil What no network has accepted by then is not
     *     sent: it ends as `Expired`, and its units are refunded. Later than `$sendAt`, by at most 14
     *     days. Absent: the validity of the service, counted from `$sendAt`.
     * @return MobileDataPreview
     * @throws TarishiException 400: The whole request breaks a rule, as it would if it were sent.
     *     Faults of single recipients are in the 200 response.
     * @throws TarishiException 404: The caller's team has no such resource.
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
        $body = Body::data(
            to: $to,
            denomination: $denomination,
            text: $text,
            disbursements: $disbursements,
            smsService: $smsService,
            correlator: $correlator,
            callbackUrl: $callbackUrl,
            sendAt: $sendAt,
            validUntil: $validUntil,
        );
        return $this->caller->call(
            'previewMobileData',
            path: ['campaignId' => $campaign],
            body: $body,
            requestId: $requestId,
            timeout: $timeout,
        );
    }
}
