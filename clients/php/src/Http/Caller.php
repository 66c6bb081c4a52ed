<?php

declare(strict_types=1);

namespace Tarishi\Http;

use Tarishi\TarishiException;

/** Calls an operation with a token and, where the operation takes one, an Idempotency-Key that all attempts share. */
final class Caller
{
    /**
     * The operations of the API: method, path, and whether a retry is safe. `keyed`: yes, with the same
     * Idempotency-Key; `harmless`: yes, a second call changes nothing; `unsafe`: no, it would take effect again.
     */
    public const ROUTES = [
        'sendSms' => ['POST', '/message/{serviceId}', 'keyed'],
        'previewSms' => ['POST', '/message/{serviceId}/preview', 'harmless'],
        'disburseMobileData' => ['POST', '/data/{campaignId}', 'keyed'],
        'previewMobileData' => ['POST', '/data/{campaignId}/preview', 'harmless'],
        'sendChatAppTemplate' => ['POST', '/message/{serviceId}/chatapp', 'keyed'],
        'previewChatAppTemplate' => ['POST', '/message/{serviceId}/chatapp/preview', 'harmless'],
        'listMessages' => ['GET', '/messages', 'harmless'],
        'listRequests' => ['GET', '/requests', 'harmless'],
        'getRequest' => ['GET', '/requests/{requestId}', 'harmless'],
        'cancelRequest' => ['POST', '/requests/{requestId}/cancel', 'harmless'],
        'listRequestMessages' => ['GET', '/requests/{requestId}/messages', 'harmless'],
        'listInboundMessages' => ['GET', '/inbound-messages', 'harmless'],
        'listReceipts' => ['GET', '/receipts', 'harmless'],
        'getReceipt' => ['GET', '/receipts/{receiptId}', 'harmless'],
        'resendReceipt' => ['POST', '/receipts/{receiptId}/resend', 'unsafe'],
        'replayReceipts' => ['POST', '/receipts/replay', 'unsafe'],
        'testReceipt' => ['POST', '/receipts/test', 'unsafe'],
        'listOptOuts' => ['GET', '/opt-outs', 'harmless'],
        'addOptOuts' => ['POST', '/opt-outs', 'harmless'],
        'removeOptOuts' => ['POST', '/opt-outs/remove', 'harmless'],
        'listBalances' => ['GET', '/balances', 'harmless'],
        'listServices' => ['GET', '/services', 'harmless'],
        'getService' => ['GET', '/services/{serviceId}', 'harmless'],
        'listTemplates' => ['GET', '/templates', 'harmless'],
        'getTemplate' => ['GET', '/templates/{templateId}', 'harmless'],
        'listCampaigns' => ['GET', '/campaigns', 'harmless'],
        'getCampaign' => ['GET', '/campaigns/{campaignId}', 'harmless'],
    ];

    public function __construct(
        private readonly Transport $transport,
        private readonly Tokens $tokens,
        private readonly string $baseUrl,
    ) {
    }

    /**
     * The body of a 200.
     *
     * @param array<string, string> $path
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @return array<string, mixed>
     * @throws TarishiException
     */
    public function call(
        string $operation,
        array $path = [],
        array $query = [],
        ?array $body = null,
        ?string $idempotencyKey = null,
        ?string $requestId = null,
        ?float $timeout = null,
    ): array {
        [$method, $template, $retry] = self::ROUTES[$operation]
            ?? throw new \InvalidArgumentException("There is no operation $operation");
        $headers = ['Accept: application/json'];
        if ($body !== null) {
            $headers[] = 'Content-Type: application/json';
        } elseif ($method === 'POST') {
            $headers[] = 'Content-Length: 0';
        }
        if ($retry === 'keyed') {
            $headers[] = 'Idempotency-Key: ' . self::printable('idempotencyKey', $idempotencyKey ?? self::uuid());
        }
        if ($requestId !== null) {
            $headers[] = 'X-Request-Id: ' . self::printable('requestId', $requestId);
        }
        $url = $this->baseUrl . self::target($template, $path, $query);
        $content = $body === null ? null : json_encode($body, JSON_THROW_ON_ERROR);
        $sendWith = fn (#[\SensitiveParameter] string $token): HttpResponse => $this->transport->send(
            $method,
            $url,
            [...$headers, "Authorization: Bearer $token"],
            $content,
            $retry !== 'unsafe',
            $timeout,
        );

        $token = $this->tokens->current();
        $response = $sendWith($token);
        if ($response->status === 401) {
            // The token may have been revoked; if a new one is refused as well, the client has been.
            $response = $sendWith($this->tokens->insteadOf($token));
        }
        if ($response->status !== 200) {
            throw $response->error();
        }
        return $response->json() ?? throw new TarishiException('unknown', 'The response is not JSON', 200);
    }

    /** The RFC 3339 form of a time. Text stays as it is. */
    public static function instant(string|\DateTimeInterface|null $time): ?string
    {
        if (!$time instanceof \DateTimeInterface) {
            return $time;
        }
        $utc = \DateTimeImmutable::createFromInterface($time)->setTimezone(new \DateTimeZone('UTC'));
        return $utc->format('Y-m-d\TH:i:s.v\Z');
    }

    /**
     * The path and query of a call. A query parameter that is null is left out.
     *
     * @param array<string, string> $path
     * @param array<string, mixed> $query
     */
    private static function target(string $template, array $path, array $query): string
    {
        $fill = static fn (array $found): string => self::segment($found[1], $path[$found[1]]);
        $filled = preg_replace_callback('/\{(\w+)\}/', $fill, $template);
        // PHP would write a boolean as a number.
        $written = array_map(static fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $query);
        $parameters = http_build_query($written, '', '&', PHP_QUERY_RFC3986);
        return $parameters === '' ? $filled : "$filled?$parameters";
    }

    /** Proxies remove `.` and `..`, however they are encoded: the call would reach another operation. */
    private static function segment(string $name, string $id): string
    {
        if (in_array($id, ['', '.', '..'], true)) {
            throw new \InvalidArgumentException("$name must be an id, not \"$id\"");
        }
        return rawurlencode($id);
    }

    private static function printable(string $name, string $value): string
    {
        if (preg_match('/^[ -~]{1,255}$/D', $value) !== 1) {
            throw new \InvalidArgumentException("$name must have 1 to 255 printable ASCII characters");
        }
        return $value;
    }

    /** Version 4 of RFC 9562. */
    private static function uuid(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
