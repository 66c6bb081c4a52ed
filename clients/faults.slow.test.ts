/** Each client retries what is safe, gives up where it must, and reports every error in the same way. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { freePort } from '../src/platform/free-port-testing.ts';
import { languages, type Outcome, openedClient, type Step } from './testing/clients.ts';
import {
  breakOff,
  breakOffChunked,
  cut,
  html,
  json,
  openedScriptedServer,
  type Reply,
  type ScriptedServer,
  silence,
  stall,
  token,
} from './testing/scripted-server.ts';

const now = { 'Retry-After': '0' };
const inFiveSeconds = () => ({ 'Retry-After': new Date(Date.now() + 5000).toUTCString() });
const send = { call: 'sms.send', args: { service: 's', to: '+254711000000', text: 'Habari' } };

describe.each(languages)('%s', (language) => {
  const client = openedClient(language);
  const server = openedScriptedServer();
  afterEach(() => {
    expect([server.replies.length, server.tokenReplies.length]).toEqual([0, 0]);
    for (const list of [server.seen, server.tokenForms]) list.length = 0;
  });

  let clients = 0;
  /** By a client that has no token yet. */
  const run = (replies: Reply[], step: Partial<Step> = send, settings: object = {}): Promise<Outcome> => {
    server.replies.push(...replies);
    clients += 1;
    const connection = { baseUrl: server.url, clientId: `c${clients}`, clientSecret: 's', ...settings };
    return client.run({ ...step, client: connection });
  };
  const different = (read: (one: ScriptedServer['seen'][number]) => unknown) =>
    new Set(server.seen.map((one) => JSON.stringify(read(one)))).size;

  test.each<[string, () => Reply]>([
    ['a connection that is cut', () => cut],
    ['a response that breaks off', () => breakOff],
    ['a response of unknown length that breaks off', () => breakOffChunked],
    ['408', () => json(408, {}, now)],
    [
      '409, while the first request is running',
      () => json(409, { desc: 'running' }, { ...now, 'Error-Code': 'key-in-use' }),
    ],
    ['429', () => json(429, { error: 'rate_limit_exceeded', error_description: 'slower' }, now)],
    ['500', () => json(500, { desc: 'oops' }, now)],
    ['502 of a proxy', () => html(502)],
    ['503', () => json(503, { desc: 'stopping' }, now)],
    ['504 of a proxy', () => html(504)],
  ])('%s is retried with the same key and body', async (_, reply) => {
    const { value, pauses } = await run([reply(), reply()]);
    expect(value.requestId).toBe('r');
    expect(server.seen).toHaveLength(3);
    expect(pauses).toHaveLength(2);
    expect(different(({ headers, body }) => [headers['idempotency-key'], body])).toBe(1);
    expect(server.seen[0]?.headers['idempotency-key']).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  test('each call has a key of its own, and keeps yours', async () => {
    await run([], { ...send, times: 3 });
    expect(different(({ headers }) => headers['idempotency-key'])).toBe(3);
    await run([cut], { ...send, options: { idempotencyKey: 'order 4711' } });
    expect(server.seen.slice(3).map(({ headers }) => headers['idempotency-key'])).toEqual([
      'order 4711',
      'order 4711',
    ]);
  });

  test('an attempt that takes too long is given up and retried', async () => {
    const { value } = await run([silence, stall], send, { timeout: 0.3 });
    expect([value.requestId, server.seen.length]).toEqual(['r', 3]);
    const { error } = await run([silence], { ...send, options: { ...shorter(language) } }, { retries: 0 });
    expect(error).toMatchObject({ kind: 'TarishiConnectionError', code: 'timeout' });
  });

  test('pauses double, with jitter', async () => {
    const { pauses } = await run(
      Array.from({ length: 7 }, () => cut),
      send,
      { retries: 7 },
    );
    expect(pauses).toHaveLength(7);
    [500, 1000, 2000, 4000, 8000, 16_000, 20_000].forEach((most, place) => {
      expect(pauses[place]).toBeGreaterThanOrEqual(most / 2);
      expect(pauses[place]).toBeLessThanOrEqual(most);
    });
  });

  test.each<[string, () => Reply, least: number, most: number]>([
    ['of seconds', () => json(429, { error: 'e' }, { 'Retry-After': '7' }), 7000, 7700],
    ['that is a date', () => json(503, { desc: 'stopping' }, inFiveSeconds()), 2000, 5500],
  ])('a Retry-After %s is waited for, and a little more', async (_, reply, least, most) => {
    const {
      pauses: [ms = 0],
    } = await run([reply()]);
    expect(ms).toBeGreaterThanOrEqual(least);
    expect(ms).toBeLessThanOrEqual(most);
  });

  test('a Retry-After of more than a minute is reported at once', async () => {
    const { error } = await run([json(503, { desc: 'maintenance' }, { 'Retry-After': '3600' })]);
    expect(error).toMatchObject({ status: 503, desc: 'maintenance', retryAfter: 3600 });
  });

  test('after the last retry the error of the response is reported', async () => {
    const { error } = await run(
      Array.from({ length: 3 }, () => json(503, { desc: 'stopping' }, now)),
      send,
      { retries: 2 },
    );
    expect(error).toMatchObject({ kind: 'TarishiError', status: 503, retryAfter: 0 });
  });

  test('no response at all is reported by a class of the same tree', async () => {
    const { error, pauses } = await run([], send, { baseUrl: `http://127.0.0.1:${await freePort()}` });
    expect(error).toMatchObject({ kind: 'TarishiConnectionError', code: 'connection-failed' });
    expect(error).not.toHaveProperty('status');
    expect(pauses).toHaveLength(4);
  });

  test('409, when the key belongs to another request, is reported at once', async () => {
    const { error } = await run([json(409, { desc: 'used' }, { ...now, 'Error-Code': 'key-reused' })]);
    expect(error).toMatchObject({ kind: 'TarishiError', status: 409, code: 'key-reused' });
    expect(server.seen).toHaveLength(1);
  });

  test.each([400, 403, 404, 405])('%i is reported at once, with all that is known', async (status) => {
    const result = { '+254711000000': ['Missing'] };
    const headers = {
      'Error-Code': 'invalid-parameters',
      'X-Request-Id': 'id-1',
      Link: '</docs/errors/invalid-parameters>; rel="help"',
    };
    const { error } = await run([json(status, { desc: 'Not valid', result }, headers)]);
    expect(error).toEqual({
      kind: 'TarishiError',
      status,
      code: 'invalid-parameters',
      desc: 'Not valid',
      result,
      requestId: 'id-1',
      helpUrl: `${server.url}/docs/errors/invalid-parameters`,
    });
  });

  test('what is not an error of the service has the code unknown', async () => {
    const page = await run(Array.from({ length: 5 }, () => html(502)));
    expect(page.error).toMatchObject({ status: 502, code: 'unknown', desc: expect.any(String) });
    const success = await run([html(200)]);
    expect(success.error).toMatchObject({ kind: 'TarishiError', status: 200, code: 'unknown' });
  });

  test('a redirect is not followed: the token stays here', async () => {
    const { error } = await run([json(302, {}, { Location: `${server.url}/elsewhere` })]);
    expect([error?.status, server.seen.length]).toEqual([302, 1]);
  });

  test('a refused token is renewed once, and the call retried with the same key', async () => {
    const { value } = await run([json(401, { desc: 'revoked' })]);
    expect(value.requestId).toBe('r');
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2']);
    expect(different(({ headers }) => headers['idempotency-key'])).toBe(1);
    const { error } = await run([json(401, { desc: 'no' }), json(401, { desc: 'still no' })]);
    expect(error).toMatchObject({ status: 401, desc: 'still no' });
    expect(server.tokenForms).toHaveLength(4);
  });

  test('calls share a token, also when it is refused to several', async () => {
    const connection = { baseUrl: server.url, clientId: 'shared', clientSecret: 's' };
    await client.run({ ...send, client: connection, times: 4 });
    await client.run({ ...send, client: connection });
    expect(server.tokenForms).toHaveLength(1);
    server.revoked.add('t1');
    const { value } = await client.run({ ...send, client: connection, times: 4 });
    expect(value).toHaveLength(4);
    expect(server.tokenForms).toHaveLength(2);
    server.revoked.clear();
  });

  test('a token is renewed before it expires', async () => {
    server.tokenReplies.push(token('short', 0));
    const step = { ...send, client: { baseUrl: server.url, clientId: 'short', clientSecret: 's' } };
    await client.run(step);
    await client.run(step);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer short', 'Bearer t2']);
  });

  test('the token endpoint is retried, and its error is reported like any other', async () => {
    server.tokenReplies.push(cut, json(503, { error: 'temporarily_unavailable' }, now));
    expect((await run([])).value.requestId).toBe('r');
    const body = { error: 'invalid_client', error_description: 'Client authentication failed.' };
    server.tokenReplies.push(json(401, body, { 'Error-Code': 'invalid-client' }));
    const { error } = await run([]);
    expect(error).toMatchObject({ status: 401, code: 'invalid-client', desc: body.error_description });
    expect(server.seen).toHaveLength(1);
  });

  test('what changes nothing is retried without a key', async () => {
    const preview = { ...send, call: 'sms.preview' };
    expect((await run([cut, html(503), json(200, { sendable: true })], preview)).error).toBeUndefined();
    const list = { call: 'balances.list' };
    expect((await run([cut, html(503), json(200, { items: [] })], list)).error).toBeUndefined();
    expect(server.seen).toHaveLength(6);
    expect(different(({ headers }) => headers['idempotency-key'] ?? null)).toBe(1);
  });

  test.each([
    { call: 'receipts.resend', args: { receiptId: 'a' } },
    { call: 'receipts.replay', args: { from: '2026-11-21T00:00:00Z', which: 'All' } },
    { call: 'receipts.test', args: { callbackUrl: 'https://client.example/' } },
  ])('$call takes effect each time: it is retried after 429 only', async (step) => {
    const slower = json(429, { error: 'rate_limit_exceeded' }, now);
    expect((await run([slower, json(200, { receiptId: 'a' })], step)).error).toBeUndefined();
    expect((await run([cut], step)).error).toMatchObject({ code: 'connection-failed' });
    expect((await run([html(503)], step)).error).toMatchObject({ status: 503 });
    expect(server.seen).toHaveLength(4);
  });

  test('a key or an id that cannot be a header is an error of the caller', async () => {
    for (const name of ['idempotencyKey', 'requestId']) {
      const { error } = await run([], { ...send, options: { [name]: 'a\r\nb: c' } });
      expect(error?.kind).toBe('argument');
    }
    expect(server.seen).toEqual([]);
  });

  test.each(['', '.', '..'])('an id that is "%s" is an error of the caller', async (id) => {
    for (const step of [
      { call: 'requests.listMessages', args: { requestId: id } },
      { call: 'receipts.resend', args: { receiptId: id } },
      { ...send, args: { ...send.args, service: id } },
    ])
      expect((await run([], step)).error?.kind).toBe('argument');
    expect(server.seen).toEqual([]);
  });

  test('neither an error nor the client shows the secret or the token to a debugger', async () => {
    const secret = { clientSecret: 'secret-canary', retries: 0 };
    server.tokenReplies.push(token('token-canary', 3600));
    const outcomes = [await run([cut], send, secret), await run([json(403, { desc: 'no' })], send, secret)];
    server.tokenReplies.push(cut, json(401, { error: 'invalid_client' }));
    outcomes.push(await run([], send, secret), await run([], send, secret));
    for (const { dump } of outcomes) {
      expect(dump).toMatch(/tarishi/i);
      expect(dump).not.toMatch(/canary/);
    }
  });

  test('a broken base URL is an error of the caller', async () => {
    expect((await run([], send, { baseUrl: 'sms.example.com' })).error?.kind).toBe('argument');
  });

  const contradictions: [string, object][] = [
    ['sms.send', { service: 's', text: 'Habari' }],
    ['sms.send', { service: 's', to: '0711', messages: [] }],
    ['sms.send', { service: 's', to: '0711' }],
    ['sms.send', { service: 's', to: '0711', text: 'Habari', template: 't' }],
    ['sms.send', { service: 's', to: '0711', text: 'Habari', params: { name: 'Asha' } }],
    ['sms.send', { service: 's', messages: [{ to: '0711', text: 'Habari' }], text: 'Habari' }],
    ['sms.send', { service: 's', messages: [{ phone: '0711', text: 'Habari' }] }],
    ['data.disburse', { campaign: 'c', to: '0711' }],
    ['data.disburse', { campaign: 'c', disbursements: [{ to: '0711', denomination: '1GB', message: 'x' }] }],
    ['chatapp.send', { service: 's', phoneNumberId: '1', template: 't', messages: [], params: [] }],
  ];
  // TypeScript does not compile them: see package.test.ts.
  (language === 'typescript' ? test.skip : test).each(contradictions)(
    'contradiction in %s %j: an error of the caller',
    async (call, args) => {
      expect((await run([], { call, args: { ...args } })).error?.kind).toBe('argument');
      expect(server.seen).toEqual([]);
    },
  );
});

/** The option of a single call. */
function shorter(language: string): object {
  return language === 'typescript' ? { timeoutMs: 300 } : { timeout: 0.3 };
}
