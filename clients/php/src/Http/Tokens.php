<?php

declare(strict_types=1);

namespace Tarishi\Http;

use Tarishi\TarishiException;
use Tarishi\TokenStore;

/** Gets access tokens by client credentials (RFC 6749, section 4.4) and keeps each until shortly before it expires. */
final class Tokens
{
    /** A token this close to its end may have expired when it arrives. */
    private const MARGIN_SECONDS = 60;

    public function __construct(
        private readonly Transport $transport,
        private readonly TokenStore $store,
        private readonly string $baseUrl,
        private readonly string $clientId,
        #[\SensitiveParameter] private readonly string $clientSecret,
        private readonly ?string $scope,
    ) {
    }

    /** A valid token, as far as is known. */
    public function current(): string
    {
        return $this->store->load() ?? $this->renewed();
    }

    /** A token other than the refused one, which got a 401. */
    public function insteadOf(#[\SensitiveParameter] string $refused): string
    {
        // Another process may have renewed it meanwhile.
        $stored = $this->store->load();
        return $stored === null || $stored === $refused ? $this->renewed() : $stored;
    }

    /** What debuggers print of it. */
    public function __debugInfo(): array
    {
        return ['clientId' => $this->clientId];
    }

    private function renewed(): string
    {
        $form = http_build_query([
            'grant_type' => 'client_credentials',
            'client_id' => $this->clientId,
            'client_secret' => $this->clientSecret,
            ...($this->scope === null ? [] : ['scope' => $this->scope]),
        ]);
        $headers = ['Content-Type: application/x-www-form-urlencoded'];
        $response = $this->transport->send('POST', "$this->baseUrl/oauth/token", $headers, $form, true);
        if ($response->status !== 200) {
            throw $response->error();
        }
        $body = $response->json() ?? [];
        if (!is_string($body['access_token'] ?? null) || !is_numeric($body['expires_in'] ?? null)) {
            throw new TarishiException('unknown', 'The response holds no access token', 200);
        }
        $lifetime = (int) max($body['expires_in'] - self::MARGIN_SECONDS, $body['expires_in'] / 2);
        $this->store->save($body['access_token'], $lifetime);
        return $body['access_token'];
    }
}
