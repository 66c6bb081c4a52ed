/** Posting to endpoints that respond, fail and lie: what arrives there, and the outcome. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createTestBed, flood, floodLimitBytes } from '../testing.ts';
import type { Lookup } from './connect.ts';
import { createDestinations } from './destination.ts';

const bed = createTestBed();
afterEach(bed.end);
const { client } = bed;
const endpoint = (handler: RequestListener) => bed.listen(createServer(handler));
const peer = (onConnection: (socket: Socket) => void) => bed.listen(createTcpServer(onConnection));

describe('what is posted', () => {
  test('path, query, headers and body arrive as they are; the fragment stays here', async () => {
    const seen: [IncomingMessage, string][] = [];
    const { port } = await endpoint(async (request, response) => {
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += chunk;
      seen.push([request, body]);
      response.end();
    });
    const body = '{"correlator":"Ürün 😀"}';
    const headers = { 'content-type': 'application/json', 'webhook-id': 'a' };
    await client().post(`http://127.0.0.1:${port}/a%20b/?c=d&e=%2F#f`, headers, body);
    const [request, received] = seen[0] ?? [];
    expect([request?.method, request?.url, received]).toStrictEqual(['POST', '/a%20b/?c=d&e=%2F', body]);
    expect(request?.headers).toStrictEqual({
      ...headers,
      host: `127.0.0.1:${port}`,
      connection: 'keep-alive',
      'content-length': String(Buffer.byteLength(body)),
    });
  });

  test('no cookie is sent', async () => {
    const cookies: unknown[] = [];
    const { url } = await endpoint((request, response) => {
      cookies.push(request.headers.cookie);
      response.setHeader('set-cookie', 'session=1');
      response.end();
    });
    const { post } = client();
    await post(url, {}, '{}');
    await post(url, {}, '{}');
    expect(cookies).toStrictEqual([undefined, undefined]);
  });
});

describe('responses', () => {
  testEvery([
    [204, undefined, {}],
    [302, undefined, {}],
    [410, undefined, {}],
    [429, '7', { retryAfterSeconds: 7 }],
    [429, 'Tue, 01 Jan 2030 12:05:00 GMT', { retryAfterSeconds: 300 }],
    [429, 'soon', {}],
    [503, '1000000', { retryAfterSeconds: 86_400 }],
  ])('%i, Retry-After: %s', async (status, retryAfter, asked) => {
    const { url } = await endpoint((_request, response) => {
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      response.writeHead(status).end();
    });
    const clock = { now: () => Date.UTC(2030, 0, 1, 12, 0, 0) };
    expect(await client({ clock }).post(url, {}, '{}')).toStrictEqual({ kind: 'answered', status, ...asked });
  });

  test('of two Retry-After headers the first counts', async () => {
    const { url } = await endpoint((_request, response) => {
      response.writeHead(503, ['retry-after', '5', 'retry-after', '6']).end();
    });
    expect(await client().post(url, {}, '{}')).toStrictEqual({
      kind: 'answered',
      status: 503,
      retryAfterSeconds: 5,
    });
  });

  test('hints before the response are skipped', async () => {
    const { url } = await endpoint((_request, response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () => response.writeHead(201).end());
    });
    expect(await client().post(url, {}, '{}')).toStrictEqual({ kind: 'answered', status: 201 });
  });
});

describe('no response', () => {
  const withoutAnswer: [string, string, (socket: Socket) => void][] = [
    ['hangs up at once', 'reset', (socket) => socket.resetAndDestroy()],
    ['resets on the request', 'reset', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['ends on the request', 'reset', (socket) => socket.once('data', () => socket.end())],
    [
      'speaks another protocol',
      'not http',
      (socket) => socket.once('data', () => socket.end('+OK POP3\r\n')),
    ],
    [
      'breaks off inside the headers',
      'reset',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nServer: a')),
    ],
  ];
  testEvery(withoutAnswer)('a peer that %s: %s', async (_rule, reason, behave) => {
    const { url, deserted } = await peer(behave);
    expect(await client().post(url, {}, '{}')).toStrictEqual({ kind: 'failed', reason });
    await deserted();
  });

  test('nobody listens', async () => {
    const { url, close } = await endpoint(() => {});
    await close();
    expect(await client().post(url, {}, '{}')).toStrictEqual({
      kind: 'failed',
      reason: 'connection refused',
    });
  });

  const twoAddresses: Lookup = (_hostname, _options, callback) =>
    callback(null, [
      { address: '127.0.0.2', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ]);

  test('nobody listens at any address of a name', async () => {
    const { port, close } = await endpoint(() => {});
    await close();
    const outcome = await client({ lookup: twoAddresses }).post(`http://receipts.example:${port}/`, {}, '{}');
    expect(outcome).toStrictEqual({ kind: 'failed', reason: 'connection refused' });
  });

  test('somebody listens at the second address of a name', async () => {
    const { port } = await endpoint((_request, response) => response.end());
    const outcome = await client({ lookup: twoAddresses }).post(`http://receipts.example:${port}/`, {}, '{}');
    expect(outcome).toStrictEqual({ kind: 'answered', status: 200 });
  });

  test('endless headers', async () => {
    let taken: Promise<number> | undefined;
    const { url } = await peer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      taken = flood(socket, `X-Filler: ${'a'.repeat(1000)}\r\n`);
    });
    expect(await client().post(url, {}, '{}')).toStrictEqual({ kind: 'failed', reason: 'headers too large' });
    expect(await taken).toBeLessThan(floodLimitBytes);
  });
});

test('no reason contains the URL', async () => {
  const secretUrl = 'http://127.0.0.1:1/secret-path?token=secret';
  const refusing = client({ destinations: createDestinations({ allowLoopback: false }) });
  const outcomes = [
    await client().post(secretUrl, {}, '{}'),
    await refusing.post(secretUrl, {}, '{}'),
    await refusing.post('secret', {}, '{}'),
    await refusing.post('ftp://secret/', {}, '{}'),
    await refusing.post('http://secret:secret@example.com/', {}, '{}'),
    await client().post(secretUrl, { 'bad header': 'secret\n' }, '{}'),
  ];
  expect(JSON.stringify(outcomes)).not.toMatch(/secret|127/);
  expect(outcomes.map(({ kind }) => kind)).not.toContain('answered');
});
