<?php

declare(strict_types=1);

namespace Tarishi\Http;

use Tarishi\TarishiException;

/** Calls an operation with a token and, where the operation takes one, an Idempotency-Key that all attempts share. */
final class Caller
{
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
        $response = $this->answered($operation, $path, $query, $body, $idempotencyKey, $requestId, $timeout);
        return $response->json() ?? throw new TarishiException('unknown', 'The response is not JSON', 200);
    }

    /**
     * The bytes of a file.
     *
     * @param array<string, string> $path
     * @throws TarishiException
     */
    public function file(string $operation, array $path = []): string
    {
        return $this->answered($operation, $path, [], null, null, null, null)->body;
    }

    /**
     * @param array<string, string> $path
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     * @throws TarishiException
     */
    private function answered(
        string $operation,
        array $path,
        array $query,
        ?array $body,
        ?string $idempotencyKey,
        ?string $requestId,
        ?float $timeout,
    ): HttpResponse {
        [$method, $template, $retry] = Routes::ALL[$operation]
            ?? throw new \InvalidArgumentException("There is no operation $operation");
        $headers = [$retry === 'file' ? 'Accept: */*' : 'Accept: application/json'];
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
        $content = $body === null ? null : json_encode(self::given($body), JSON_THROW_ON_ERROR);
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
        return $response;
    }

    /**
     * The items of a list, page by page as they are needed.
     *
     * @param array<string, string> $path
     * @param array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     * @throws TarishiException
     */
    public function each(string $operation, array $path = [], array $query = []): \Generator
    {
        $cursor = [];
        do {
            $page = $this->call($operation, $path, [...$query, ...$cursor]);
            foreach ($page['items'] as $item) {
                yield $item;
            }
            $cursor = ['cursor' => $page['next'] ?? null];
        } while ($cursor['cursor'] !== null);
    }

    /**
     * What is not null, with times in the RFC 3339 form. Text stays as it is.
     *
     * @param array<string, mixed> $values
     * @return array<string, mixed>
     */
    public static function given(array $values): array
    {
        return array_map(self::written(...), array_filter($values, static fn ($value): bool => $value !== null));
    }

    private static function written(mixed $value): mixed
    {
        if (!$value instanceof \DateTimeInterface) {
            return $value;
        }
        $utc = \DateTimeImmutable::createFromInterface($value)->setTimezone(new \DateTimeZone('UTC'));
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
        $isTrue = static fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value;
        $written = array_map($isTrue, self::given($query));
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
