<?php

declare(strict_types=1);

namespace Tarishi;

use Tarishi\Http\Caller;
use Tarishi\Http\Tokens;
use Tarishi\Http\Transport;

/**
 * The client of the Tarishi API: calls the service on behalf of one client. It gets tokens, retries what is safe to
 * retry and throws TarishiException. Make one and share it: its calls share a token.
 */
final class Tarishi extends Methods
{
    private readonly Caller $caller;

    /**
     * @param string $baseUrl the address of the service, such as `https://sms.example.com`
     * @param string|null $scope the scopes to request, separated by spaces; by default all that your client has
     * @param int $retries how often a call is retried at most
     * @param float $timeout the seconds without data after which an attempt has failed
     * @param TokenStore|null $tokenStore where to keep the token; by default in this object
     */
    public function __construct(
        string $baseUrl,
        string $clientId,
        #[\SensitiveParameter] string $clientSecret,
        ?string $scope = null,
        int $retries = 4,
        float $timeout = 30,
        ?TokenStore $tokenStore = null,
    ) {
        if (preg_match('~^https?://~i', $baseUrl) !== 1) {
            throw new \InvalidArgumentException('baseUrl must begin with http:// or https://');
        }
        $baseUrl = str_ends_with($baseUrl, '/') ? substr($baseUrl, 0, -1) : $baseUrl;
        $transport = new Transport($retries, $timeout);
        $store = $tokenStore ?? new MemoryTokenStore();
        $tokens = new Tokens($transport, $store, $baseUrl, $clientId, $clientSecret, $scope);
        $caller = new Caller($transport, $tokens, $baseUrl);
        $this->caller = $caller;
        parent::__construct($caller);
    }

    /**
     * Calls any operation of the OpenAPI document by its `operationId` and returns the body of a 200.
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
        return $this->caller->call($operation, $path, $query, $body, $idempotencyKey, $requestId, $timeout);
    }
}
