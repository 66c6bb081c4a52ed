<?php

// Written by npm run generate, from the OpenAPI document.

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * Approved templates through a chat-app business account.
 *
 * @phpstan-import-type ChatAppMessage from Body
 * @phpstan-import-type ChatAppParameter from Body
 * @phpstan-import-type ChatAppFallback from Types
 * @phpstan-import-type ChatAppMedia from Types
 * @phpstan-import-type ChatAppPreview from Types
 */
final class ChatApp
{
    public function __construct(private readonly Caller $caller)
    {
    }

    /**
     * Returns once the request is accepted for every recipient; receipts report the outcomes.
     *
     * @param string $service The chat-app service to send through.
     * @param string $phoneNumberId The business number that sends.
     * @param string|null $template The id of an approved template.
     * @param string|list<string>|null $to One phone number or several.
     * @param list<ChatAppParameter>|null $params Those of the API, each with its `type`; for all of
     *     `$to` alike.
     * @param list<ChatAppMessage>|null $messages Instead of `$to`: to each with parameters of its
     *     own.
     * @param ChatAppFallback|null $fallback An SMS to each of those who are not reached; for none of
     *     them if it is absent.
     * @param string|null $inReplyTo Instead of `$template`: the id of an inbound message of the last
     *     24 hours, to whose sender it goes.
     * @param string|null $text The text of a reply.
     * @param ChatAppMedia|null $media Instead of `$text`: a file.
     * @param string|null $correlator Your own identifier, repeated in every receipt of the request.
     * @param string|null $callbackUrl Absolute http or https URL without user information to which
     *     receipts are posted.
     * @param string|\DateTimeInterface|null $sendAt From one minute to 30 days after acceptance.
     *     Without a schedule, the messages are sent at once.
     * @param string|\DateTimeInterface|null $validUntil What no network has accepted by then is not
     *     sent: it ends as `Expired`, and its units are refunded. Later than `$sendAt`, by at most 14
     *     days. Absent: the validity of the service, counted from `$sendAt`.
     * @param string|null $timeZone Where the recipients are: the name of a time zone, for countries
     *     that have several. Quiet hours of such a country count in this zone; absent, or if the country
     *     does not have it: the window must be open in all its zones.
     * @return array{type: 'ChatAppResponse', requestId: string, addresses: int, units: array<string,
     *     int>, scheduledFor?: string}
     * @throws TarishiException 400: The request breaks a rule of the contract; nothing was debited,
     *     stored or queued.
     * @throws TarishiException 404: The caller's team has no such resource.
     * @throws TarishiException 409: The Idempotency-Key is in use: the first request with it is
     *     still running (`Error-Code: key-in-use`), or had another body (`Error-Code: key-reused`).
     */
    public function send(
        string $service,
        string $phoneNumberId,
        ?string $template = null,
        string|array|null $to = null,
        ?array $params = null,
        ?array $messages = null,
        ?array $fallback = null,
        ?string $inReplyTo = null,
        ?string $text = null,
        ?array $media = null,
        ?string $correlator = null,
        ?string $callbackUrl = null,
        string|\DateTimeInterface|null $sendAt = null,
        string|\DateTimeInterface|null $validUntil = null,
        ?string $timeZone = null,
        ?string $idempotencyKey = null,
        ?string $requestId = null,
        ?float $timeout = null,
    ): array {
        $body = Body::chatapp(
            phoneNumberId: $phoneNumberId,
            template: $template,
            to: $to,
            params: $params,
            messages: $messages,
            fallback: $fallback,
            inReplyTo: $inReplyTo,
            text: $text,
            media: $media,
            correlator: $correlator,
            callbackUrl: $callbackUrl,
            sendAt: $sendAt,
            validUntil: $validUntil,
            timeZone: $timeZone,
        );
        return $this->caller->call(
            'sendChatAppTemplate',
            path: ['serviceId' => $service],
            body: $body,
            idempotencyKey: $idempotencyKey,
            requestId: $requestId,
            timeout: $timeout,
        )['result'];
    }

    /**
     * What `send` would do: what each recipient would see, the cost and problems. Sends and costs
     * nothing.
     *
     * @param string $service The chat-app service to send through.
     * @param string $phoneNumberId The business number that sends.
     * @param string|null $template The id of an approved template.
     * @param string|list<string>|null $to One phone number or several.
     * @param list<ChatAppParameter>|null $params Those of the API, each with its `type`; for all of
     *     `$to` alike.
     * @param list<ChatAppMessage>|null $messages Instead of `$to`: to each with parameters of its
     *     own.
     * @param ChatAppFallback|null $fallback An SMS to each of those who are not reached; for none of
     *     them if it is absent.
     * @param string|null $inReplyTo Instead of `$template`: the id of an inbound message of the last
     *     24 hours, to whose sender it goes.
     * @param string|null $text The text of a reply.
     * @param ChatAppMedia|null $media Instead of `$text`: a file.
     * @param string|null $correlator Your own identifier, repeated in every receipt of the request.
     * @param string|null $callbackUrl Absolute http or https URL without user information to which
     *     receipts are posted.
     * @param string|\DateTimeInterface|null $sendAt From one minute to 30 days after acceptance.
     *     Without a schedule, the messages are sent at once.
     * @param string|\DateTimeInterface|null $validUntil What no network has accepted by then is not
     *     sent: it ends as `Expired`, and its units are refunded. Later than `$sendAt`, by at most 14
     *     days. Absent: the validity of the service, counted from `$sendAt`.
     * @param string|null $timeZone Where the recipients are: the name of a time zone, for countries
     *     that have several. Quiet hours of such a country count in this zone; absent, or if the country
     *     does not have it: the window must be open in all its zones.
     * @return ChatAppPreview
     * @throws TarishiException 400: The whole request breaks a rule, as it would if it were sent.
     *     Faults of single recipients are in the 200 response.
     * @throws TarishiException 404: The caller's team has no such resource.
     */
    public function preview(
        string $service,
        string $phoneNumberId,
        ?string $template = null,
        string|array|null $to = null,
        ?array $params = null,
        ?array $messages = null,
        ?array $fallback = null,
        ?string $inReplyTo = null,
        ?string $text = null,
        ?array $media = null,
        ?string $correlator = null,
        ?string $callbackUrl = null,
        string|\DateTimeInterface|null $sendAt = null,
        string|\DateTimeInterface|null $validUntil = null,
        ?string $timeZone = null,
        ?string $requestId = null,
        ?float $timeout = null,
    ): array {
        $body = Body::chatapp(
            phoneNumberId: $phoneNumberId,
            template: $template,
            to: $to,
            params: $params,
            messages: $messages,
            fallback: $fallback,
            inReplyTo: $inReplyTo,
            text: $text,
            media: $media,
            correlator: $correlator,
            callbackUrl: $callbackUrl,
            sendAt: $sendAt,
            validUntil: $validUntil,
            timeZone: $timeZone,
        );
        return $this->caller->call(
            'previewChatAppTemplate',
            path: ['serviceId' => $service],
            body: $body,
            requestId: $requestId,
            timeout: $timeout,
        );
    }
}
