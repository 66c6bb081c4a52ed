<?php
// Sends an SMS to each phone number on its command line: php send.php +254711000000 +254733000000
declare(strict_types=1);

const RETRYABLE = [409, 429, 500, 502, 503, 504];
const MOST_ATTEMPTS = 5;

/** Makes one call: status, headers and body. Status 0: there was no response. */
function attempt(string $path, string $body, array $headers): array
{
    $http = [
        'method' => 'POST',
        'header' => $headers,
        'content' => $body,
        'ignore_errors' => true,
        'timeout' => (float) (getenv('REQUEST_TIMEOUT_SECONDS') ?: 10),
    ];
    $content = @file_get_contents(getenv('TARISHI_URL') . $path, false, stream_context_create(['http' => $http]));
    $lines = $http_response_header ?? [];
    $status = $content === false ? 0 : (int) (explode(' ', $lines[0] ?? '')[1] ?? 0);
    return [$status, $lines, (string) $content];
}

/** Retries until there is a final response. */
function call(string $path, string $body, array $headers): array
{
    for ($number = 0; $number < MOST_ATTEMPTS; $number++) {
        [$status, $lines, $content] = attempt($path, $body, $headers);
        $isKeyReused = preg_grep('/^error-code: *key-reused$/i', $lines) !== [];
        if ($status !== 0 && !in_array($status, RETRYABLE, true) || $isKeyReused) {
            return [$status, $content];
        }
        $pause = 0.5 * 2 ** $number * random_int(500, 1000) / 1000;
        foreach ($lines as $line) {
            if (preg_match('/^retry-after: *(\d+)/i', $line, $found)) {
                $pause = max($pause, (int) $found[1]);
            }
        }
        if ($number + 1 < MOST_ATTEMPTS) {
            usleep((int) ($pause * 1_000_000));
        }
    }
    fail("$path: no success after " . MOST_ATTEMPTS . " attempts ($status)");
}

function fail(string $reason): never
{
    fwrite(STDERR, "$reason\n");
    exit(1);
}

function get_token(): string
{
    $form = http_build_query([
        'grant_type' => 'client_credentials',
        'client_id' => getenv('TARISHI_CLIENT_ID'),
        'client_secret' => getenv('TARISHI_CLIENT_SECRET'),
    ]);
    [$status, $content] = call('/oauth/token', $form, ['Content-Type: application/x-www-form-urlencoded']);
    if ($status !== 200) {
        fail("no token: $content");
    }
    return json_decode($content, true)['access_token'];
}

/** Returns the token in use, which may be a new one. */
function send(string $phone, string $token): string
{
    $key = bin2hex(random_bytes(16));
    $body = json_encode(['type' => 'SendToMany', 'addresses' => [$phone], 'message' => 'Your order has shipped.']);
    $path = '/message/' . (getenv('TARISHI_SERVICE_ID') ?: 'demo-sms');
    for ($renewals = 0; ; $renewals++) {
        [$status, $content] = call($path, $body, [
            "Authorization: Bearer $token",
            'Content-Type: application/json',
            "Idempotency-Key: $key",
        ]);
        if ($status !== 401 || $renewals === 1) {
            break;
        }
        $token = get_token();
    }
    if ($status !== 200) {
        fail("$phone: $content");
    }
    echo "$phone: ", json_decode($content, true)['result']['requestId'], "\n";
    return $token;
}

$token = get_token();
foreach (array_slice($argv, 1) as $phone) {
    $token = send($phone, $token);
}
