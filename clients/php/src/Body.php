<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;

/** Turns what a caller writes into the bodies of the API: the four modes of SMS, two of mobile data, two of chat-app. */
final class Body
{
    /**
     * The mode follows from what is set.
     *
     * @param string|list<string>|null $to
     * @param list<array<string, mixed>>|null $messages
     * @param array<string, string>|null $params
     * @param array<string, mixed> $common
     * @return array<string, mixed>
     */
    public static function sms(
        string|array|null $to,
        ?string $text,
        ?array $messages,
        ?string $template,
        ?array $params,
        array $common,
    ): array {
        self::oneOf(compact('to', 'messages'));
        if ($template !== null) {
            self::absent('a template', compact('text'));
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
     * @param array<string, mixed> $common
     * @return array<string, mixed>
     */
    public static function data(
        string|array|null $to,
        ?string $denomination,
        ?string $text,
        ?array $disbursements,
        ?string $smsService,
        array $common,
    ): array {
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
     * @param array<string, mixed> $common
     * @return array<string, mixed>
     */
    public static function chatApp(
        string $phoneNumberId,
        string $template,
        string|array|null $to,
        ?array $params,
        ?array $messages,
        array $common,
    ): array {
        self::oneOf(compact('to', 'messages'));
        $mode = ['phoneNumberId' => $phoneNumberId, 'templateId' => $template, ...$common];
        if ($to !== null) {
            $recipients = ['addresses' => array_values((array) $to), 'params' => $params ?? []];
            return ['type' => 'TemplateSendToMany', ...$recipients, ...$mode];
        }
        self::absent('messages', compact('params'));
        $entries = self::entries($messages, ['to'], ['params'], static fn (array $one): array => [
            'phone' => $one['to'],
            'params' => $one['params'] ?? [],
        ]);
        return ['type' => 'TemplateSendToEach', 'messages' => $entries, ...$mode];
    }

    /**
     * The `receiptRequest` of a body, if there is one.
     *
     * @return array<string, mixed>
     */
    public static function receiptRequest(?string $correlator, ?string $callbackUrl): array
    {
        $fields = array_filter(compact('correlator', 'callbackUrl'), static fn ($value) => $value !== null);
        return $fields === [] ? [] : ['receiptRequest' => $fields];
    }

    /**
     * The `schedule` of a body, if there is one; text is RFC 3339, such as `2026-11-22T06:00:00Z`.
     *
     * @return array<string, mixed>
     */
    public static function schedule(
        string|\DateTimeInterface|null $sendAt,
        string|\DateTimeInterface|null $validUntil,
    ): array
    {
        if ($sendAt === null) {
            self::absent('a message that is sent at once', compact('validUntil'));
            return [];
        }
        $end = $validUntil === null ? [] : ['validUntil' => Caller::instant($validUntil)];
        return ['schedule' => ['sendAt' => Caller::instant($sendAt), ...$end]];
    }

    /**
     * The `timeZone` of a body, if there is one.
     *
     * @return array<string, string>
     */
    public static function place(?string $timeZone): array
    {
        return $timeZone === null ? [] : compact('timeZone');
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
