<?php
// Receives receipts and messages of people, acts on each once, and responds to GET /count with how many it acted on:
// php -S 127.0.0.1:4000 receive.php
declare(strict_types=1);

function is_genuine(string $body): bool
{
    $key = base64_decode(substr((string) getenv('TARISHI_SIGNING_SECRET'), strlen('whsec_')));
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $signed_at = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$signed_at.$body", $key, true));
    if (abs(time() - (int) $signed_at) > 300) {
        return false;
    }
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

// In production: a table with a unique index.
$folder = sys_get_temp_dir() . '/receipts-' . $_SERVER['SERVER_PORT'] . '-' . getmypid();
is_dir($folder) || mkdir($folder);

if ($_SERVER['REQUEST_METHOD'] === 'GET') {
    echo json_encode(['count' => count(glob("$folder/*"))]);
    return true;
}
$body = file_get_contents('php://input');
if (!is_genuine($body)) {
    http_response_code(400);
    return true;
}
$posted = json_decode($body, true);
$file = @fopen("$folder/" . sha1($_SERVER['HTTP_WEBHOOK_ID']), 'x');
if ($file !== false) {
    error_log($posted['type'] === 'InboundMessage'
        ? "{$posted['from']}: {$posted['kind']} {$posted['text']}"
        : "{$posted['phone']}: {$posted['deliveryStatus']}");
}
http_response_code(204);
return true;
