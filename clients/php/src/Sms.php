<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/** Sends and previews SMS: a text or a template, to `to` alike or to each of `messages` its own. */
final class Sms
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Returns once the request is accepted for every recipient; receipts report the outcomes.
     *
     * @param string|list<string>|null $to one recipient or several
     * @param list<array{to: string, text?: string, params?: array<string, string>}>|null $messages to each its own
     * @param array<string, string>|null $params of the template, by name
     * @param string|\DateTimeInterface|null $sendAt text is RFC 3339; at once by default
     * @param string|null $timeZone where the recipients are, such as America/New_York; counts for quiet hours
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function send(
        string $service,
        string|array|null $to = null,
        ?string $text = null,
        ?array $messages = null,
        ?string $template = null,
        ?array $params = null,
        ?string $correlator = null,
        ?string $callbackUrl = null,
        string|\DateTimeInterface|null $sendAt = null,
        string|\DateTimeInterface|null $validUntil = null,
        ?string $timeZone = null,
        ?string $idempotencyKey = null,
        ?string $requestId = null,
        ?float $timeout = null,
    ): array {
        $common = [
            ...Body::receiptRequest($correlator, $callbackUrl),
            ...Body::schedule($sendAt, $validUntil),
            ...Body::place($timeZone),
        ];
        return $this->caller->call(
            'sendSms',
            path: ['serviceId' => $service],
            body: Body::sms($to, $text, $messages, $template, $params, $common),
            idempotencyKey: $idempotencyKey,
            requestId: $requestId,
            timeout: $timeout,
        )['result'];
    }

    /**
     * What `send` would do: the text, units and problems of each recipient. Sends and costs nothing.
     *
     * @param string|list<string>|null $to one recipient or several
     * @param list<array{to: string, text?: string, params?: array<string, string>}>|null $messages to each its own
     * @param array<string, string>|null $params of the template, by name
     * @param string|\DateTimeInterface|null $sendAt text is RFC 3339; at once by default
     * @param string|null $timeZone where the recipients are, such as America/New_York; counts for quiet hours
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function preview(
        string $service,
        string|array|null $to = null,
        ?string $text = null,
        ?array $messages = null,
        ?string $template = null,
        ?array $params = null,
        ?string $correlator = null,
        ?string $callbackUrl = null,
        string|\DateTimeInterface|null $sendAt = null,
        string|\DateTimeInterface|null $validUntil = null,
        ?string $timeZone = null,
        ?string $requestId = null,
        ?float $timeout = null,
    ): array {
        $common = [
            ...Body::receiptRequest($correlator, $callbackUrl),
            ...Body::schedule($sendAt, $validUntil),
            ...Body::place($timeZone),
        ];
        return $this->caller->call(
            'previewSms',
            path: ['serviceId' => $service],
            body: Body::sms($to, $text, $messages, $template, $params, $common),
            requestId: $requestId,
            timeout: $timeout,
        );
    }
}
