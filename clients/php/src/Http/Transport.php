<?php

declare(strict_types=1);

namespace Tarishi\Http;

use Tarishi\TarishiConnectionException;

/** Makes an HTTP call until there is a final response: retries what is safe to retry, with back-off. */
final class Transport
{
    private const TEMPORARY = [408, 429, 500, 502, 503, 504];
    /** The `Error-Code` of a 409 that passes: the first request with this Idempotency-Key is still running. */
    private const KEY_IN_USE = 'key-in-use';
    /** A request that got it had no effect. */
    private const TOO_MANY_REQUESTS = 429;
    private const FIRST_PAUSE_SECONDS = 0.5;
    private const LONGEST_PAUSE_SECONDS = 20;
    /** A call that would have to wait longer fails instead; the exception says how long. */
    private const LONGEST_RETRY_AFTER_SECONDS = 60;

    public function __construct(private readonly int $retries, private readonly float $timeout)
    {
    }

    /**
     * The last response.
     *
     * @param list<string> $headers
     * @param bool $retryable whether a retry has no second effect
     * @throws TarishiConnectionException if there is none
     */
    public function send(
        string $method,
        string $url,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] ?string $body,
        bool $retryable,
        ?float $timeout = null,
    ): HttpResponse {
        for ($attempt = 0; ; $attempt++) {
            $last = $attempt === $this->retries;
            $pause = min(self::FIRST_PAUSE_SECONDS * 2 ** $attempt, self::LONGEST_PAUSE_SECONDS) * self::between(0.5, 1);
            try {
                $response = self::attempt($method, $url, $headers, $body, $timeout ?? $this->timeout);
                $mayRetry = $retryable
                    ? in_array($response->status, self::TEMPORARY, true)
                        || ($response->headers['error-code'] ?? null) === self::KEY_IN_USE
                    : $response->status === self::TOO_MANY_REQUESTS;
                $seconds = $response->retryAfter();
                if ($last || !$mayRetry || $seconds > self::LONGEST_RETRY_AFTER_SECONDS) {
                    return $response;
                }
                // A little later than asked, so that clients that were refused together do not return together.
                $pause = $seconds === null ? $pause : $seconds * self::between(1, 1.1);
            } catch (TarishiConnectionException $error) {
                if ($last || !$retryable) {
                    throw $error;
                }
            }
            usleep((int) ($pause * 1_000_000));
        }
    }

    /** @param list<string> $headers */
    private static function attempt(
        string $method,
        string $url,
        #[\SensitiveParameter] array $headers,
        #[\SensitiveParameter] ?string $body,
        float $timeout,
    ): HttpResponse {
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => [...$headers, 'Connection: close'],
            ...($body === null ? [] : ['content' => $body]),
            'timeout' => $timeout,
            'protocol_version' => 1.1,
            'ignore_errors' => true,
            // A token must not follow to another address.
            'follow_location' => 0,
        ]]);
        error_clear_last();
        $startedAt = hrtime(true);
        $stream = @fopen($url, 'rb', false, $context);
        $content = $stream === false ? false : stream_get_contents($stream);
        $timedOut = hrtime(true) - $startedAt >= $timeout * 1e9;
        if ($stream === false || $content === false) {
            throw self::failure($timedOut, $timeout, error_get_last()['message'] ?? 'no response');
        }
        $meta = stream_get_meta_data($stream);
        fclose($stream);
        [$status, $received] = self::headersOf($meta['wrapper_data'] ?? []);
        $response = new HttpResponse($url, $status, $received, $content);
        // PHP does not say so.
        $brokeOff = strlen($content) < (int) ($received['content-length'] ?? 0)
            || str_starts_with($received['content-type'] ?? '', 'application/json') && $response->json() === null;
        if ($meta['timed_out'] || $brokeOff) {
            throw self::failure($meta['timed_out'], $timeout, 'the response broke off');
        }
        return $response;
    }

    private static function failure(bool $timedOut, float $timeout, string $reason): TarishiConnectionException
    {
        return $timedOut
            ? new TarishiConnectionException('timeout', "No response within $timeout seconds")
            : new TarishiConnectionException('connection-failed', "The connection failed: $reason");
    }

    /**
     * @param list<string> $lines
     * @return array{int, array<string, string>}
     */
    private static function headersOf(array $lines): array
    {
        $status = 0;
        $headers = [];
        foreach ($lines as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $found) === 1) {
                // The final response comes after any 1xx.
                $status = (int) $found[1];
                $headers = [];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower($name)] = trim($value);
            }
        }
        return [$status, $headers];
    }

    private static function between(float $least, float $most): float
    {
        return $least + ($most - $least) * random_int(0, 1_000_000) / 1_000_000;
    }
}
