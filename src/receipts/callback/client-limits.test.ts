/** Posting to endpoints that stall, flood and never end: the outcome, and which connections stay open. */
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createTestBed, flood, floodLimitBytes } from '../testing.ts';

const bed = createTestBed();
afterEach(bed.end);
const { client } = bed;
const endpoint = (handler: RequestListener) => bed.listen(createServer(handler));
const peer = (onConnection: (socket: Socket) => void) => bed.listen(createTcpServer(onConnection));

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
