<?php

declare(strict_types=1);

namespace Tarishi\Http;

use Tarishi\TarishiException;

/** A response whose body was read, and the error that it means if it is not a success. */
final class HttpResponse
{
    /** @param array<string, string> $headers with names in lower case */
    public function __construct(
        public readonly string $url,
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }

    /** @return array<string, mixed>|null null if the body is not a JSON object or list */
    public function json(): ?array
    {
        $value = json_decode($this->body, true);
        return is_array($value) ? $value : null;
    }

    /** Also of a response that came from a proxy and not from the service. */
    public function error(): TarishiException
    {
        $body = $this->json() ?? [];
        $code = $this->headers['error-code'] ?? $body['error'] ?? null;
        $desc = $body['desc'] ?? $body['error_description'] ?? null;
        return new TarishiException(
            is_string($code) ? $code : 'unknown',
            is_string($desc) ? $desc : "The response has the status $this->status",
            $this->status,
            $body['result'] ?? null,
            $this->headers['x-request-id'] ?? null,
            $this->retryAfter(),
            $this->helpUrl(),
        );
    }

    /** The seconds of `Retry-After`, which may also be a date (RFC 9110, section 10.2.3). */
    public function retryAfter(): ?int
    {
        $value = trim($this->headers['retry-after'] ?? '');
        if (preg_match('/^[0-9]{1,9}$/D', $value) === 1) {
            return (int) $value;
        }
        $at = \DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $value, new \DateTimeZone('UTC'));
        return $at === false ? null : max(0, $at->getTimestamp() - time());
    }

    private function helpUrl(): ?string
    {
        if (preg_match('/<([^<>]*)>\s*;\s*rel="?help"?/', $this->headers['link'] ?? '', $found) !== 1) {
            return null;
        }
        if (preg_match('~^https?://~i', $found[1]) === 1) {
            return $found[1];
        }
        $origin = preg_replace('~^(https?://[^/?#]+).*$~is', '$1', $this->url);
        return str_starts_with($found[1], '/') ? $origin . $found[1] : null;
    }
}
