/** The samples with one fault each, as small changes: the conformance kit must find every one of them. */

export interface SeededFault {
  name: string;
  /** Below the root of the project. */
  file: string;
  change: readonly [from: string, to: string];
  /** Where the kit must find it. */
  situation: string;
}

const client = 'clients/typescript/src';
const py = 'examples/python/send.py';
const php = 'examples/php/send.php';

export const clientFaults: readonly SeededFault[] = [
  fault('typescript: gives up when the connection breaks', `${client}/transport.ts`, 'cut-connection', [
    'if (last || !call.retryable || !(error instanceof TarishiConnectionError)) throw error;',
    'throw error;',
  ]),
  fault('typescript: a new key for each attempt', `${client}/transport.ts`, 'lost-response', [
    'const reply = await attemptOf(call, options);',
    `if (attempt > 0) call.headers.set('Idempotency-Key', crypto.randomUUID());
        const reply = await attemptOf(call, options);`,
  ]),
  fault('typescript: ignores Retry-After', `${client}/transport.ts`, 'rate-limited', [
    'if (seconds !== undefined) pauseMs = seconds * 1000 * (1 + Math.random() / 10);',
    '',
  ]),
  fault('typescript: retries 400', `${client}/transport.ts`, 'bad-request', [
    'new Set([408,',
    'new Set([400, 408,',
  ]),
  fault('typescript: does not retry 409', `${client}/transport.ts`, 'conflict', [
    "const keyInUse = 'key-in-use';",
    "const keyInUse = '';",
  ]),
  fault('typescript: a token for each request', `${client}/tokens.ts`, 'normal', [
    'current: async () => (isValid(token) ? token.value : renewed()),',
    'current: renewed,',
  ]),
  fault('typescript: never renews a token', `${client}/caller.ts`, 'expired-token', [
    'if (reply.status === 401)',
    'if (reply.status === 0)',
  ]),
  fault('python: retries at once', py, 'server-error', ['time.sleep(pause)', 'pass']),
  fault('python: the same pause each time', py, 'outage', [
    '0.5 * 2**number * random.uniform(0.5, 1)',
    '0.8',
  ]),
  fault('python: never gives up', py, 'outage', [
    `for number in range(MOST_ATTEMPTS):
        pause = 0.5 * 2**number * random.uniform(0.5, 1)`,
    `import itertools
    for number in itertools.repeat(0):
        pause = random.uniform(0.1, 0.2)`,
  ]),
  fault('python: no Idempotency-Key', py, 'normal', ['            "Idempotency-Key": key,\n', '']),
  fault('python: one key for all messages', py, 'normal', ['str(uuid.uuid4())', '"order"']),
  fault('python: no timeout', py, 'no-response', [', timeout=TIMEOUT_SECONDS', '']),
  fault('python: retries with the expired token', py, 'expired-token', ['        token = get_token()\n', '']),
  fault('python: reads an error page as JSON', py, 'bad-gateway', [
    'if status not in RETRYABLE or',
    'json.loads(content)\n            if status not in RETRYABLE or',
  ]),
  fault('python: retries each 409', py, 'key-reused', [
    ' or response_headers.get("Error-Code") == "key-reused"',
    '',
  ]),
  fault('python: requires the known properties only', py, 'unknown-fields', [
    '    print(f"{phone}: {json',
    '    assert set(json.loads(content)) == {"result"}\n    print(f"{phone}: {json',
  ]),
  fault('php: reports success after an error', php, 'bad-request', [
    `        fail("$phone: $content");`,
    '        return $token;',
  ]),
  fault('php: does not retry 429', php, 'rate-limited', ['[409, 429,', '[409,']),
  fault('php: gives up when it gets no token', php, 'token-outage', [
    "[$status, $content] = call('/oauth/token'",
    "[$status, , $content] = attempt('/oauth/token'",
  ]),
  fault('php: does not retry 502', php, 'bad-gateway', ['500, 502,', '500,']),
  fault('php: renews the token without end', php, 'refused-client', [' || $renewals === 1', '']),
  fault('php: gives up when the response is lost', php, 'lost-response', [
    'if ($status !== 0 && !in_array',
    'if (!in_array',
  ]),
];

const ts = 'examples/typescript/receive.ts';
const verify = `${client}/receipts/verify.ts`;
const pyReceiver = 'examples/python/receive.py';
const phpReceiver = 'examples/php/receive.php';

export const receiverFaults: readonly SeededFault[] = [
  fault('typescript: acts on each duplicate', ts, 'duplicate', [
    'processed.add(webhookId);',
    'processed.add(crypto.randomUUID());',
  ]),
  fault('typescript: verifies the body that it wrote again', verify, 'formatting', [
    "typeof body === 'string' ? encoder.encode(body) : body",
    'encoder.encode(JSON.stringify(JSON.parse(new TextDecoder().decode(body as Uint8Array))))',
  ]),
  fault('typescript: does not verify', verify, 'wrong-secret', [
    'if (!(await isSigned(signed, candidates, [signingSecret].flat())))',
    'if (false)',
  ]),
  fault('python: accepts old receipts', pyReceiver, 'old-timestamp', [
    'abs(time.time() - signed_at) <= 300 and ',
    '',
  ]),
  fault('python: takes the first signature only', pyReceiver, 'rotation', ['.split()]', '.split()[:1]]']),
  fault('python: fails on an unknown state', pyReceiver, 'unknown-state', [
    '        identifier =',
    '        assert posted["deliveryStatus"] in ("Sent", "Delivered", "Read", "Failed")\n        identifier =',
  ]),
  fault('python: fails without a signature', pyReceiver, 'no-signature', [
    'except (AttributeError, ',
    'except (',
  ]),
  fault('python: rejects duplicates', pyReceiver, 'duplicate', [
    'if identifier not in processed:',
    'if identifier in processed:\n            return self.respond(409)\n        else:',
  ]),
  fault('php: does not sign the body', phpReceiver, 'changed-body', [
    'if (hash_equals($expected, $signature)) {',
    'if (strlen($expected) === strlen($signature)) {',
  ]),
  fault('php: recognises duplicates by their timestamp', phpReceiver, 'late-duplicate', [
    "sha1($_SERVER['HTTP_WEBHOOK_ID'])",
    "sha1($_SERVER['HTTP_WEBHOOK_ID'] . $_SERVER['HTTP_WEBHOOK_TIMESTAMP'])",
  ]),
  fault('php: accepts timestamps from the future', phpReceiver, 'future-timestamp', [
    'abs(time() - (int) $signed_at) > 300',
    'time() - (int) $signed_at > 300',
  ]),
];

/** In receiving messages of people. */
export const inboundFaults: readonly SeededFault[] = [
  fault('typescript: acts on each duplicate of a message', ts, 'late-duplicate', [
    'processed.add(webhookId);',
    'processed.add(crypto.randomUUID());',
  ]),
  fault('typescript: recognises duplicates by sender and text', ts, 'same-text', [
    `if (processed.has(webhookId)) return;
    processed.add(webhookId);`,
    `const key = posted.type === 'InboundMessage' ? \`\${posted.from} \${posted.text}\` : webhookId;
    if (processed.has(key)) return;
    processed.add(key);`,
  ]),
  fault('typescript: accepts old messages', verify, 'old-timestamp', [
    'if (secondsOff > toleranceSeconds)',
    'if (secondsOff === Infinity)',
  ]),
  fault('python: takes everything for a receipt', pyReceiver, 'valid', [
    'if posted["type"] == "InboundMessage":',
    'if False:',
  ]),
  fault('python: requires a text', pyReceiver, 'valid', [
    '            if posted["type"] == "InboundMessage":\n',
    '            if posted["type"] == "InboundMessage":\n                assert posted["text"]\n',
  ]),
  fault('python: fails on an unknown kind', pyReceiver, 'unknown-kind', [
    '        identifier =',
    '        assert posted["kind"] in ("Text", "Button", "Media", "Other")\n        identifier =',
  ]),
  fault('python: signs the body that it wrote again', pyReceiver, 'formatting', [
    '.encode() + body',
    '.encode() + json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False).encode()',
  ]),
  fault('python: works for longer than ten seconds before it responds', pyReceiver, 'unknown-field', [
    '        self.respond(204)',
    '        time.sleep(11)\n        self.respond(204)',
  ]),
  fault('php: verifies receipts only', phpReceiver, 'wrong-secret', [
    'if (!is_genuine($body)) {',
    "if (json_decode($body, true)['type'] !== 'InboundMessage' && !is_genuine($body)) {",
  ]),
  fault('php: fails on an unknown property', phpReceiver, 'unknown-field', [
    '$posted = json_decode($body, true);',
    `$posted = json_decode($body, true);
array_walk($posted, fn ($value, $name) => is_array($value) && $name !== 'inReplyTo' && $name !== 'media' && throw new Exception($name));`,
  ]),
  fault('php: recognises duplicates by their sender', phpReceiver, 'same-text', [
    "sha1($_SERVER['HTTP_WEBHOOK_ID'])",
    "sha1($posted['from'])",
  ]),
];

function fault(name: string, file: string, situation: string, change: SeededFault['change']): SeededFault {
  return { name, file, situation, change };
}
