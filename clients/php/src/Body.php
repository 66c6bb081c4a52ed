<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/**
 * Turns what a caller writes into the bodies of the API: the four modes of SMS, two of mobile data, two of chat-app.
 *
 * @phpstan-import-type ChatAppFallback from Types
 * @phpstan-import-type ChatAppMedia from Types
 * @phpstan-import-type ChatAppParameter from Types
 * @phpstan-type SmsMessage array{to: string, text?: string, params?: array<string, string>}
 * @phpstan-type Disbursement array{to: string, denomination: string, text?: string}
 * @phpstan-import-type TemplateParameter from Types
 * @phpstan-type ChatAppFallbackText array{message?: string, params?: list<TemplateParameter>}
 * @phpstan-type ChatAppMessage array{to: string, params?: list<ChatAppParameter>, fallback?: ChatAppFallbackText}
 */
final class Body
{
    /**
     * The mode follows from what is set.
     *
     * @param string|list<string>|null $to
     * @param list<array<string, mixed>>|null $messages
     * @param array<string, string>|null $params
     * @return array<string, mixed>
     */
    public static function sms(
        string|array|null $to,
        ?string $text,
        ?array $messages,
        ?string $template,
        ?array $params,
        ?bool $flash,
        ?string $correlator,
        ?string $callbackUrl,
        string|\DateTimeInterface|null $sendAt,
        string|\DateTimeInterface|null $validUntil,
        ?string $timeZone,
    ): array {
        $common = self::common($correlator, $callbackUrl, $sendAt, $validUntil, $timeZone);
        self::oneOf(compact('to', 'messages'));
        if ($template !== null) {
            self::absent('a template', [...compact('text'), 'flash' => $flash ?: null]);
            $mode = ['templateId' => $template, ...$common];
            if ($to !== null) {
                $recipients = ['addresses' => array_values((array) $to), 'params' => self::params($params)];
                return ['type' => 'TemplateSendToMany', ...$recipients, ...$mode];
            }
            self::absent('messages', compact('params'));
            $entries = self::entries($messages, ['to'], ['params'], static fn (array $one): array => [
                'phone' => $one['to'],
                'params' => self::params($one['params'] ?? null),
            ]);
            return ['type' => 'TemplateSendToEach', 'messages' => $entries, ...$mode];
        }
        self::absent('no template', compact('params'));
        if ($flash) {
            $common['messageClass'] = 0;
        }
        if ($to !== null) {
            $text ?? throw new \InvalidArgumentException('text or template is required');
            return ['type' => 'SendToMany', 'addresses' => array_values((array) $to), 'message' => $text, ...$common];
        }
        self::absent('messages', compact('text'));
        $entries = self::entries($messages, ['to', 'text'], [], static fn (array $one): array => [
            'phone' => $one['to'],
            'message' => $one['text'],
        ]);
        return ['type' => 'SendToEach', 'messages' => $entries, ...$common];
    }

    /**
     * The mode follows from what is set.
     *
     * @param string|list<string>|null $to
     * @param list<array<string, mixed>>|null $disbursements
     * @return array<string, mixed>
     */
    public static function data(
        string|array|null $to,
        ?string $denomination,
        ?string $text,
        ?array $disbursements,
        ?string $smsService,
        ?string $correlator,
        ?string $callbackUrl,
        string|\DateTimeInterface|null $sendAt,
        string|\DateTimeInterface|null $validUntil,
    ): array {
        $common = self::common($correlator, $callbackUrl, $sendAt, $validUntil);
        self::oneOf(compact('to', 'disbursements'));
        $selection = $smsService === null
            ? ['type' => 'DefaultService']
            : ['type' => 'SelfService', 'serviceId' => $smsService];
        if ($to !== null) {
            $denomination ?? throw new \InvalidArgumentException('denomination is required');
            $messaging = $text === null ? [] : ['messaging' => ['message' => $text, 'serviceSelection' => $selection]];
            $bundle = ['phones' => array_values((array) $to), 'denomination' => $denomination];
            return ['type' => 'SendToMany', ...$bundle, ...$messaging, ...$common];
        }
        self::absent('disbursements', compact('denomination', 'text'));
        $entries = self::entries($disbursements, ['to', 'denomination'], ['text'], static fn (array $one): array => [
            'phone' => $one['to'],
            'denomination' => $one['denomination'],
            ...(isset($one['text']) ? ['message' => $one['text']] : []),
        ]);
        $texts = array_filter($entries, static fn (array $entry): bool => isset($entry['message']));
        $messaging = $texts === [] ? [] : ['messaging' => ['serviceSelection' => $selection]];
        return ['type' => 'SendToEach', 'disbursements' => $entries, ...$messaging, ...$common];
    }

    /**
     * The mode follows from what is set.
     *
     * @param string|list<string>|null $to
     * @param list<array<string, mixed>>|null $params
     * @param list<array<string, mixed>>|null $messages
     * @param ChatAppFallback|null $fallback
     * @param ChatAppMedia|null $media
     * @return array<string, mixed>
     */
    public static function chatapp(
        string $phoneNumberId,
        ?string $template,
        string|array|null $to,
        ?array $params,
        ?array $messages,
        ?array $fallback,
        ?string $inReplyTo,
        ?string $text,
        ?array $media,
        ?string $correlator,
        ?string $callbackUrl,
        string|\DateTimeInterface|null $sendAt,
        string|\DateTimeInterface|null $validUntil,
        ?string $timeZone,
    ): array {
        $common = self::common($correlator, $callbackUrl, $sendAt, $validUntil, $timeZone);
        self::oneOf(compact('template', 'inReplyTo'));
        if ($inReplyTo !== null) {
            self::absent('a reply', compact('to', 'params', 'messages', 'fallback', 'sendAt', 'timeZone'));
            self::oneOf(compact('text', 'media'));
            return ['type' => 'Reply', ...Caller::given(compact('phoneNumberId', 'inReplyTo', 'text', 'media')), ...$common];
        }
        self::absent('a template', compact('text', 'media'));
        self::oneOf(compact('to', 'messages'));
        $mode = [
            'phoneNumberId' => $phoneNumberId,
            'templateId' => $template,
            ...Caller::given(compact('fallback')),
            ...$common,
        ];
        if ($to !== null) {
            $recipients = ['addresses' => array_values((array) $to), 'params' => $params ?? []];
            return ['type' => 'TemplateSendToMany', ...$recipients, ...$mode];
        }
        self::absent('messages', compact('params'));
        $entries = self::entries($messages, ['to'], ['params', 'fallback'], static fn (array $one): array => [
            'phone' => $one['to'],
            'params' => $one['params'] ?? [],
            ...Caller::given(['fallback' => $one['fallback'] ?? null]),
        ]);
        return ['type' => 'TemplateSendToEach', 'messages' => $entries, ...$mode];
    }

    /**
     * What all modes have, as far as it is set.
     *
     * @return array<string, mixed>
     */
    private static function common(
        ?string $correlator,
        ?string $callbackUrl,
        string|\DateTimeInterface|null $sendAt,
        string|\DateTimeInterface|null $validUntil,
        ?string $timeZone = null,
    ): array {
        if ($sendAt === null) {
            self::absent('a message that is sent at once', compact('validUntil'));
        }
        $receiptRequest = Caller::given(compact('correlator', 'callbackUrl'));
        $schedule = Caller::given(compact('sendAt', 'validUntil'));
        return array_filter(compact('receiptRequest', 'schedule', 'timeZone'));
    }

    /**
     * @param array<string, string>|null $values
     * @return list<array{name: string, value: string}>
     */
    private static function params(?array $values): array
    {
        // PHP makes integers of the keys of a positional template.
        $pair = static fn (string|int $name, string $value): array => ['name' => (string) $name, 'value' => $value];
        return array_map($pair, array_keys($values ?? []), array_values($values ?? []));
    }

    /**
     * A key that is missing or misspelt must not be lost without a word.
     *
     * @param list<array<string, mixed>> $entries
     * @param list<string> $required
     * @param list<string> $optional
     * @param \Closure(array<string, mixed>): array<string, mixed> $write
     * @return list<array<string, mixed>>
     */
    private static function entries(array $entries, array $required, array $optional, \Closure $write): array
    {
        foreach ($entries as $entry) {
            $missing = array_diff($required, array_keys($entry));
            $unknown = array_diff(array_keys($entry), $required, $optional);
            if ($missing !== [] || $unknown !== []) {
                $keys = implode(', ', [...$missing, ...$unknown]);
                throw new \InvalidArgumentException("An entry has missing or unknown keys: $keys");
            }
        }
        return array_map($write, array_values($entries));
    }

    /** @param array<string, mixed> $arguments */
    private static function oneOf(array $arguments): void
    {
        if (count(array_filter($arguments, static fn ($value) => $value !== null)) !== 1) {
            $names = implode(' and ', array_keys($arguments));
            throw new \InvalidArgumentException("Exactly one of $names is required");
        }
    }

    /** @param array<string, mixed> $arguments */
    private static function absent(string $beside, array $arguments): void
    {
        foreach ($arguments as $name => $value) {
            if ($value !== null) {
                throw new \InvalidArgumentException("$name cannot be combined with $beside");
            }
        }
    }
}
