<?php

declare(strict_types=1);

namespace Tarishi;

/** Keeps the access token as long as the process or, under PHP-FPM, the request lasts. */
final class MemoryTokenStore implements TokenStore
{
    private ?string $token = null;
    private int $endsAt = 0;

    public function load(): ?string
    {
        return hrtime(true) < $this->endsAt ? $this->token : null;
    }

    public function save(#[\SensitiveParameter] string $token, int $lifetime): void
    {
        $this->token = $token;
        $this->endsAt = hrtime(true) + $lifetime * 1_000_000_000;
    }

    /** What debuggers print of it. */
    public function __debugInfo(): array
    {
        return [];
    }
}
