<?php

declare(strict_types=1);

namespace Tarishi;

/** Keeps the access token, for instance so that all requests to your server share it. Treat it as a secret. */
interface TokenStore
{
    /** The token that was saved last, unless its lifetime is over. */
    public function load(): ?string;

    /** Keeps a token for that many seconds. */
    public function save(#[\SensitiveParameter] string $token, int $lifetime): void;
}
