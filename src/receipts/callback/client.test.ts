/** Posting to endpoints that respond, fail, lie, stall and never end: what arrives there, the outcome, and which connections stay open. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
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

const impatient = { timeoutMs: 300 };
const timeout = { kind: 'failed', reason: 'timeout' };

describe('the deadline', () => {
  testEvery<[string, (socket: Socket) => void]>([
    ['accepts and stays silent', (socket) => socket.resume()],
    [
      'drips its headers',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nX-Drip: ');
        const drip = setInterval(() => socket.write('a'), 10);
        socket.once('close', () => clearInterval(drip));
      },
    ],
    [
      'sends hints forever',
      (socket) => {
        const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 10);
        socket.once('close', () => clearInterval(drip));
      },
    ],
  ])('a peer that %s', async (_rule, behave) => {
    const { url, deserted } = await peer(behave);
    expect(await client(impatient).post(url, {}, '{}')).toStrictEqual(timeout);
    await deserted();
  });

  test.each([
    ['short', 2],
    ['long', 32 * 1024 * 1024],
  ])('a peer that never reads a %s body', async (_rule, length) => {
    const sockets: Socket[] = [];
    const { url, deserted } = await peer((socket) => {
      sockets.push(socket.pause());
    });
    expect(await client(impatient).post(url, {}, 'a'.repeat(length))).toStrictEqual(timeout);
    // A peer that does not read does not notice the end either.
    for (const socket of sockets) socket.resume();
    await deserted();
  });

  test('a peer that never finishes the TLS handshake', async () => {
    const { port, deserted } = await peer((socket) => socket.resume());
    expect(await client(impatient).post(`https://127.0.0.1:${port}/`, {}, '{}')).toStrictEqual(timeout);
    await deserted();
  });

  test('a look-up that never ends', async () => {
    const { post } = client({ ...impatient, lookup: () => {} });
    expect(await post('http://receipts.example/', {}, '{}')).toStrictEqual(timeout);
  });

  test('the status counts when the body drips', async () => {
    const { url, deserted } = await endpoint((_request, response) => {
      response.writeHead(410);
      const drip = setInterval(() => response.write('a'), 10);
      response.once('close', () => clearInterval(drip));
    });
    const outcome = await client({ timeoutMs: 1_500 }).post(url, {}, '{}');
    expect(outcome).toMatchObject({ kind: 'answered', status: 410 });
    await deserted();
  });
});

describe('the body of the response', () => {
  testEvery([
    ['of unknown length', 'Transfer-Encoding: chunked\r\n\r\n', `1000\r\n${'a'.repeat(0x1000)}\r\n`],
    ['until the connection ends', 'Connection: close\r\n\r\n', 'a'.repeat(0x1000)],
    ['that announces a gigabyte', `Content-Length: ${2 ** 30}\r\n\r\n`, 'a'.repeat(0x1000)],
  ])('without end, %s, is cut off', async (_rule, headers, chunk) => {
    let taken: Promise<number> | undefined;
    const { url } = await peer((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${headers}`);
        taken = flood(socket, chunk);
      });
    });
    expect(await client().post(url, {}, '{}')).toMatchObject({ kind: 'answered', status: 200 });
    expect(await taken).toBeLessThan(floodLimitBytes);
  });

  test.each([
    // undici lets a connection rest for a turn of the event loop, and takes another one meanwhile.
    ['64 KiB leave the connection usable', 64 * 1024, 2],
    ['one byte more closes it', 64 * 1024 + 1, 6],
  ])('%s', async (_rule, length, connections) => {
    const listener = await endpoint((_request, response) => response.end('a'.repeat(length)));
    const { post } = client();
    for (let i = 0; i < 6; i += 1)
      expect(await post(listener.url, {}, '{}')).toMatchObject({ kind: 'answered', status: 200 });
    expect(await listener.connections()).toBe(connections);
  });

  test('that breaks off leaves the status valid', async () => {
    const { url } = await peer((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'));
    });
    expect(await client().post(url, {}, '{}')).toMatchObject({ kind: 'answered', status: 200 });
  });
});

describe('the stored part of the body', () => {
  const responseTo = async (body: string | Buffer) => {
    const { url } = await endpoint((_request, response) => response.end(body));
    return client().post(url, {}, '{}');
  };

  testEvery<[string, string | Buffer, string]>([
    ['text', 'received', 'received'],
    ['its first KiB', 'a'.repeat(3_000), 'a'.repeat(1_024)],
    ['no half of a character', `${'a'.repeat(1_023)}é`, 'a'.repeat(1_023)],
    ['no NUL, and spaces for other control characters', 'a\0b\u0007c\nd', 'ab c d'],
    ['no bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80, 0x62]), 'a����b'],
  ])('%s', async (_rule, body, response) => {
    expect(await responseTo(body)).toStrictEqual({ kind: 'answered', status: 200, response });
  });

  test('nothing if it is empty', async () => {
    expect(await responseTo('')).toStrictEqual({ kind: 'answered', status: 200 });
  });
});

describe('connections', () => {
  test('are used again', async () => {
    const listener = await endpoint((_request, response) => response.end('received'));
    const { post } = client();
    for (let i = 0; i < 20; i += 1) await post(listener.url, {}, '{}');
    expect(await listener.connections()).toBeLessThanOrEqual(2);
  });

  test('at most 32 to one origin at once', async () => {
    const waiting: ServerResponse[] = [];
    const listener = await endpoint((_request, response) => {
      waiting.push(response);
      // The last of a full house lets everybody go.
      if (waiting.length === 32) for (const one of waiting.splice(0)) one.end();
    });
    const { post } = client();
    const outcomes = await Promise.all(Array.from({ length: 96 }, () => post(listener.url, {}, '{}')));
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome)))).toStrictEqual(
      new Set(['{"kind":"answered","status":200}']),
    );
    expect(listener.mostOpen()).toBe(32);
  });

  test('closing ends calls under way', async () => {
    const listener = await endpoint(() => {});
    const made = client();
    const outcome = made.post(listener.url, {}, '{}');
    await listener.connections();
    await made.close();
    expect(await outcome).toStrictEqual({ kind: 'failed', reason: 'closed' });
    await listener.deserted();
    expect(await made.post(listener.url, {}, '{}')).toStrictEqual({ kind: 'failed', reason: 'closed' });
  });
});
