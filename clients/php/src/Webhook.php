<?php

declare(strict_types=1);

namespace Tarishi;

/** Verifies receipts by the Standard Webhooks scheme, and says what a server responds to them. */
final class Webhook
{
    /**
     * The receipt in a request to your callback URL.
     *
     * @param string $body the bytes that were received, such as `file_get_contents('php://input')`
     * @param array<string, mixed> $headers of the request: `$_SERVER`, `getallheaders()` or those of PSR-7
     * @param string|list<string> $signingSecret `whsec_…`; two while one replaces the other
     * @param int $tolerance how many seconds the timestamp may be from the present
     * @return array<string, mixed>
     * @throws TarishiReceiptException if the request is not a receipt of yours
     */
    public static function verifyReceipt(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array $signingSecret,
        int $tolerance = 300,
    ): array {
        $found = self::webhookHeaders($headers);
        $id = $found['webhook-id'] ?? '';
        $timestamp = $found['webhook-timestamp'] ?? '';
        $signatures = $found['webhook-signature'] ?? '';
        if ($id === '' || $timestamp === '' || $signatures === '') {
            $desc = 'The request has no webhook-id, webhook-timestamp or webhook-signature';
            throw new TarishiReceiptException('missing-headers', $desc);
        }
        $isNumber = preg_match('/^[0-9]{1,12}$/D', $timestamp) === 1;
        if (!$isNumber || abs(time() - (int) $timestamp) > $tolerance) {
            $desc = "The timestamp is not within $tolerance seconds of now";
            throw new TarishiReceiptException('timestamp-out-of-range', $desc);
        }
        if (!self::isSigned("$id.$timestamp.$body", explode(' ', $signatures), (array) $signingSecret)) {
            throw new TarishiReceiptException('wrong-signature', 'No signature was made with your signing secret');
        }
        $receipt = json_decode($body, true);
        return is_array($receipt)
            ? $receipt
            : throw new TarishiReceiptException('malformed-body', 'The body is not a JSON object');
    }

    /**
     * Passes a verified receipt and its webhook-id to `$onReceipt` and returns the status to respond with: 204, or 400
     * for anything else. What `$onReceipt` throws is thrown: respond with 500, and the receipt is posted again later.
     * A receipt can arrive more than once, always with the same webhook-id: store the ids that you have processed.
     *
     * @param array<string, mixed> $headers
     * @param string|list<string> $signingSecret
     * @param callable(array<string, mixed>, string): void $onReceipt
     */
    public static function handleReceipt(
        string $body,
        array $headers,
        #[\SensitiveParameter] string|array $signingSecret,
        callable $onReceipt,
        int $tolerance = 300,
    ): int {
        try {
            $receipt = self::verifyReceipt($body, $headers, $signingSecret, $tolerance);
        } catch (TarishiReceiptException) {
            return 400;
        }
        $onReceipt($receipt, self::webhookHeaders($headers)['webhook-id']);
        return 204;
    }

    /**
     * @param list<string> $signatures
     * @param array<string> $secrets
     */
    private static function isSigned(
        string $signed,
        array $signatures,
        #[\SensitiveParameter] array $secrets,
    ): bool {
        foreach ($secrets as $secret) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, self::key($secret), true));
            foreach ($signatures as $signature) {
                if (hash_equals($expected, $signature)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static function key(#[\SensitiveParameter] string $secret): string
    {
        $key = base64_decode(str_starts_with($secret, 'whsec_') ? substr($secret, 6) : $secret, true);
        // A mistake in the settings, which must not look like a forged receipt.
        return $key === false || $key === ''
            ? throw new \InvalidArgumentException('The signing secret is not whsec_ and Base64')
            : $key;
    }

    /**
     * @param array<string, mixed> $headers
     * @return array<string, string>
     */
    private static function webhookHeaders(array $headers): array
    {
        $found = [];
        foreach ($headers as $name => $value) {
            $name = strtr(strtolower((string) $name), '_', '-');
            $name = str_starts_with($name, 'http-') ? substr($name, 5) : $name;
            $value = is_array($value) && count($value) === 1 ? reset($value) : $value;
            if (str_starts_with($name, 'webhook-') && is_string($value)) {
                $found[$name] = $value;
            }
        }
        return $found;
    }
}
