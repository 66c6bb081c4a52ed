/** Tests the client against a server that answers as each test says. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTarishi, type Tarishi, TokenError } from './client.ts';
import { createTransport } from './transport.ts';

interface Seen {
  path: string;
  authorization: string | undefined;
  key: string | undefined;
  body: string;
}

type Reply = (response: ServerResponse) => void;

let server: Server;
let baseUrl: string;
let seen: Seen[];
/** What each call but those for a token is answered, in order; afterwards 200. */
let replies: Reply[];
let tokenReplies: Reply[];
let tokens: number;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
const accepted = json(200, { result: { type: 'SmsResponse', requestId: 'r', units: {}, addresses: {} } });
const hangUp: Reply = (response) => response.destroy();
const at = { 'Retry-After': '0' };

beforeEach(async () => {
  seen = [];
  replies = [];
  tokenReplies = [];
  tokens = 0;
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.url === '/oauth/token') {
    tokens += 1;
    const reply = tokenReplies.shift();
    if (reply !== undefined) return reply(response);
    return json(200, { access_token: `t${tokens}`, token_type: 'Bearer', expires_in: 3600, scope: 's' })(
      response,
    );
  }
  const { authorization, 'idempotency-key': key } = request.headers;
  seen.push({ path: request.url ?? '', authorization, key: key as string | undefined, body });
  (replies.shift() ?? accepted)(response);
}

const connect = (more: object = {}) => createTarishi({ baseUrl, clientId: 'c', clientSecret: 's', ...more });

const send = (tarishi: Tarishi, more: { headers?: Record<string, string>; signal?: AbortSignal } = {}) =>
  tarishi.POST('/message/{serviceId}', {
    params: { path: { serviceId: 'demo/sms' } },
    body: { type: 'SendToMany', addresses: ['+254711000000'], message: 'Habari' },
    ...more,
  });

test('a call carries a token, a key and the body, with the path escaped', async () => {
  const { data } = await send(connect());
  expect(data?.result.requestId).toBe('r');
  expect(seen).toEqual([
    {
      path: '/message/demo%2Fsms',
      authorization: 'Bearer t1',
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      body: '{"type":"SendToMany","addresses":["+254711000000"],"message":"Habari"}',
    },
  ]);
});

test('calls at the same time and later share one token', async () => {
  const tarishi = connect();
  await Promise.all([send(tarishi), send(tarishi), send(tarishi)]);
  await send(tarishi);
  expect([tokens, seen.length]).toEqual([1, 4]);
});

test('a token is renewed a minute before its end, or at half its life', async () => {
  const short = (seconds: number) =>
    json(200, { access_token: 'short', token_type: 'Bearer', expires_in: seconds, scope: 's' });
  tokenReplies = [short(0)];
  const tarishi = connect();
  await send(tarishi);
  await send(tarishi);
  expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer short', 'Bearer t2']);
});

test('a refused token is renewed once and the call repeated with the same key', async () => {
  replies = [json(401, { desc: 'expired' })];
  const { data } = await send(connect());
  expect(data).toBeDefined();
  expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer t1', 'Bearer t2']);
  expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
});

test('a call that is refused with a fresh token as well answers its 401', async () => {
  replies = [json(401, { desc: 'no' }), json(401, { desc: 'still no' })];
  const { error, response } = await send(connect());
  expect([response.status, error]).toEqual([401, { desc: 'still no' }]);
});

test.each<[string, Reply]>([
  ['a connection that ends without an answer', hangUp],
  ['409, the first one still runs', json(409, { desc: 'running' }, at)],
  ['429', json(429, { error: 'rate_limit_exceeded', error_description: 'slower' }, at)],
  ['500', json(500, { desc: 'oops' }, at)],
  ['503', json(503, { desc: 'stopping' }, at)],
])('%s is repeated with the same key and body', async (_, reply) => {
  replies = [reply, reply];
  const { data } = await send(connect());
  expect(data).toBeDefined();
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
});

test.each([400, 403, 404, 422])('%i is answered at once, as the document types it', async (status) => {
  replies = [json(status, { desc: 'Invalid phone numbers: 12' })];
  const { data, error, response } = await send(connect());
  expect([data, error, response.status, seen.length]).toEqual([
    undefined,
    { desc: 'Invalid phone numbers: 12' },
    status,
    1,
  ]);
});

test('your own Idempotency-Key is kept', async () => {
  await send(connect(), { headers: { 'Idempotency-Key': 'order-4711' } });
  expect(seen[0]?.key).toBe('order-4711');
});

test('after the last repetition the answer is handed on as it is', async () => {
  replies = Array.from({ length: 9 }, () => json(503, { desc: 'stopping' }, at));
  const { response } = await send(connect({ retries: 2 }));
  expect([response.status, seen.length]).toEqual([503, 3]);
});

test('after the last repetition a network fault rejects', async () => {
  replies = [hangUp, hangUp];
  await expect(send(connect({ retries: 0 }))).rejects.toThrow('fetch failed');
  expect(seen).toHaveLength(1);
});

test('an attempt that takes too long is given up and repeated', async () => {
  replies = [() => {}];
  const { data } = await send(connect({ timeoutMs: 300 }));
  expect([data?.result.requestId, seen.length]).toEqual(['r', 2]);
});

test('a long Retry-After is for you to wait', async () => {
  replies = [json(503, { desc: 'maintenance' }, { 'Retry-After': '3600' })];
  const { response } = await send(connect());
  expect([response.status, seen.length]).toEqual([503, 1]);
});

test('an aborted call rejects and is not repeated', async () => {
  const controller = new AbortController();
  replies = [() => controller.abort(new Error('enough'))];
  await expect(send(connect(), { signal: controller.signal })).rejects.toThrow();
  expect(seen).toHaveLength(1);
});

test('refused credentials reject with what the token endpoint said', async () => {
  tokenReplies = [
    json(401, { error: 'invalid_client', error_description: 'Unknown client or wrong secret.' }),
  ];
  const fault = await send(connect()).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(TokenError);
  expect(fault).toMatchObject({ status: 401, error: 'invalid_client' });
  expect(seen).toHaveLength(0);
});

test('pauses grow, with jitter, and Retry-After wins over them', async () => {
  const pauses: number[] = [];
  const answers = [503, 503, 503, 503, 429, 200];
  const transport = createTransport({
    fetch: async () => {
      const status = answers.shift() ?? 200;
      return new Response(null, { status, headers: status === 429 ? { 'Retry-After': '7' } : {} });
    },
    retries: 9,
    timeoutMs: 1_000,
    wait: async (ms) => {
      pauses.push(ms);
    },
  });
  expect((await transport(new Request(baseUrl))).status).toBe(200);
  expect(pauses.pop()).toBe(7_000);
  pauses.forEach((ms, attempt) => {
    expect(ms).toBeGreaterThanOrEqual(250 * 2 ** attempt);
    expect(ms).toBeLessThanOrEqual(500 * 2 ** attempt);
  });
});
