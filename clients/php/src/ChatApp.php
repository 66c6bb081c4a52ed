<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/** Sends and previews chat-app templates, to `to` alike or to each of `messages` with parameters of its own. */
final class ChatApp
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Returns once the request is accepted for every recipient; receipts report the outcomes.
     *
     * @param string|list<string>|null $to one recipient or several
     * @param list<array<string, mixed>>|null $params those of the API, each with its `type`
     * @param list<array{to: string, params?: list<array<string, mixed>>}>|null $messages to each its own
     * @param string|\DateTimeInterface|null $sendAt text is RFC 3339; at once by default
     * @param string|null $timeZone where the recipients are, such as America/New_York; counts for quiet hours
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function send(
        string $service,
        string $phoneNumberId,
        string $template,
        string|array|null $to = null,
        ?array $params = null,
        ?array $messages = null,
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
            'sendChatAppTemplate',
            path: ['serviceId' => $service],
            body: Body::chatApp($phoneNumberId, $template, $to, $params, $messages, $common),
            idempotencyKey: $idempotencyKey,
            requestId: $requestId,
            timeout: $timeout,
        )['result'];
    }

    /**
     * What `send` would do: what each recipient would see, the cost and problems. Sends and costs nothing.
     *
     * @param string|list<string>|null $to one recipient or several
     * @param list<array<string, mixed>>|null $params those of the API, each with its `type`
     * @param list<array{to: string, params?: list<array<string, mixed>>}>|null $messages to each its own
     * @param string|\DateTimeInterface|null $sendAt text is RFC 3339; at once by default
     * @param string|null $timeZone where the recipients are, such as America/New_York; counts for quiet hours
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function preview(
        string $service,
        string $phoneNumberId,
        string $template,
        string|array|null $to = null,
        ?array $params = null,
        ?array $messages = null,
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
            'previewChatAppTemplate',
            path: ['serviceId' => $service],
            body: Body::chatApp($phoneNumberId, $template, $to, $params, $messages, $common),
            requestId: $requestId,
            timeout: $timeout,
        );
    }
}
