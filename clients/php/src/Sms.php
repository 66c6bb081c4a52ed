<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * Text messages, free-form or from templates.
 *
 * @phpstan-import-type SmsMessage from Body
 * @phpstan-import-type SmsPreview from Types
 */
final class Sms
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Returns once the request is accepted for every recipient; receipts report the outcomes.
     *
     * @param string $service The messaging service to send through.
     * @param string|list<string>|null $to One phone number or several.
     * @param string|null $text To all of `$to` alike; up to 960 characters, one unit per 160.
     * @param list<SmsMessage>|null $messages Instead of `$to`: to each a text or, with a template,
     *     parameters of its own.
     * @param string|null $template The id of a template; instead of a text.
     * @param array<string, string>|null $params The values of the template's parameters, by name.
     * @param bool|null $flash The phone shows the text at once and does not keep it.
     * @param string|null $correlator Your own identifier, repeated in every receipt of the request.
     * @param string|null $callbackUrl Absolute http or https URL without user information to which
     *     receipts are posted. If absent, no receipts are sent.
     * @param string|\DateTimeInterface|null $sendAt From one minute to 30 days after acceptance.
     *     Without a schedule, the messages are sent at once.
     * @param string|\DateTimeInterface|null $validUntil What no network has accepted by then is not
     *     sent: it ends as `Expired`, and its units are refunded. Later than `$sendAt`, by at most 14
     *     days. Absent: the validity of the service, counted from `$sendAt`.
     * @param string|null $timeZone Where the recipients are: the name of a time zone, for countries
     *     that have several. Quiet hours of such a country count in this zone; absent, or if the country
     *     does not have it: the window must be open in all its zones.
     * @return array{type: 'SmsResponse', requestId: string, units: array<string, int>, addresses:
     *     array<string, int>, scheduledFor?: string}
     * @throws TarishiException 400: The request breaks a rule of the contract; nothing was debited,
     *     stored or queued.
     * @throws TarishiException 404: The caller's team has no such resource.
     * @throws TarishiException 409: The Idempotency-Key is in use: the first request with it is
     *     still running (`Error-Code: key-in-use`), or had another body (`Error-Code: key-reused`).
     */
    public function send(
        string $service,
        string|array|null $to = null,
        ?string $text = null,
        ?array $messages = null,
        ?string $template = null,
        ?array $params = null,
        ?bool $flash = null,
        ?string $correlator = null,
        ?string $callbackUrl = null,
        string|\DateTimeInterface|null $sendAt = null,
        string|\DateTimeInterface|null $validUntil = null,
        ?string $timeZone = null,
        ?string $idempotencyKey = null,
        ?string $requestId = null,
        ?float $timeout = null,
    ): array {
        $body = Body::sms(
            to: $to,
            text: $text,
            messages: $messages,
            template: $template,
            params: $params,
            flash: $flash,
            correlator: $correlator,
            callbackUrl: $callbackUrl,
            sendAt: $sendAt,
            validUntil: $validUntil,
            timeZone: $timeZone,
        );
        return $this->caller->call(
            'sendSms',
            path: ['serviceId' => $service],
            body: $body,
            idempotencyKey: $idempotencyKey,
            requestId: $requestId,
            timeout: $timeout,
        )['result'];
    }

    /**
     * What `send` would do: the text, units and problems of each recipient. Sends and costs nothing.
     *
     * @param string $service The messaging service to send through.
     * @param string|list<string>|null $to One phone number or several.
     * @param string|null $text To all of `$to` alike; up to 960 characters, one unit per 160.
     * @param list<SmsMessage>|null $messages Instead of `$to`: to each a text or, with a template,
     *     parameters of its own.
     * @param string|null $template The id of a template; instead of a text.
     * @param array<string, string>|null $params The values of the template's parameters, by name.
     * @param bool|null $flash The phone shows the text at once and does not keep it.
     * @param string|null $correlator Your own identifier, repeated in every receipt of the request.
     * @param string|null $callbackUrl Absolute http or https URL without user information to which
     *     receipts are posted. If absent, no receipts are sent.
     * @param string|\DateTimeInterface|null $sendAt From one minute to 30 days after acceptance.
     *     Without a schedule, the messages are sent at once.
     * @param string|\DateTimeInterface|null $validUntil What no network has accepted by then is not
     *     sent: it ends as `Expired`, and its units are refunded. Later than `$sendAt`, by at most 14
     *     days. Absent: the validity of the service, counted from `$sendAt`.
     * @param string|null $timeZone Where the recipients are: the name of a time zone, for countries
     *     that have several. Quiet hours of such a country count in this zone; absent, or if the country
     *     does not have it: the window must be open in all its zones.
     * @return SmsPreview
     * @throws TarishiException 400: The whole request breaks a rule, as it would if it were sent.
     *     Faults of single recipients are in the 200 response.
     * @throws TarishiException 404: The caller's team has no such resource.
     */
    public function preview(
        string $service,
        string|array|null $to = null,
        ?string $text = null,
        ?array $messages = null,
        ?string $template = null,
        ?array $params = null,
        ?bool $flash = null,
        ?string $correlator = null,
        ?string $callbackUrl = null,
        string|\DateTimeInterface|null $sendAt = null,
        string|\DateTimeInterface|null $validUntil = null,
        ?string $timeZone = null,
        ?string $requestId = null,
        ?float $timeout = null,
    ): array {
        $body = Body::sms(
            to: $to,
            text: $text,
            messages: $messages,
            template: $template,
            params: $params,
            flash: $flash,
            correlator: $correlator,
            callbackUrl: $callbackUrl,
            sendAt: $sendAt,
            validUntil: $validUntil,
            timeZone: $timeZone,
        );
        return $this->caller->call(
            'previewSms',
            path: ['serviceId' => $service],
            body: $body,
            requestId: $requestId,
            timeout: $timeout,
        );
    }
}
