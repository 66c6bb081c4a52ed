/** What a connection may take up: one request at a time, and no time in which its client does nothing. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pipelinedRequestsLimit } from '../bounds.ts';
import { type Listener, listen } from './listener.ts';

let listener: Listener;
/** The paths of those that were started, and the responses that are not complete. */
let started: string[];
let open: ServerResponse[];
let respond: (response: ServerResponse) => void;
let sockets: Socket[];

beforeEach(async () => {
  started = [];
  open = [];
  sockets = [];
  respond = (response) => response.end(response.req.url);
  await start();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await listener.close({ idleMs: 0, graceMs: 0 });
});

async function start(stallLimitMs?: number): Promise<void> {
  listener = await listen({
    host: '127.0.0.1',
    port: 0,
    connectionLimit: 100,
    ...(stallLimitMs && { stallLimitMs }),
  });
  listener.serve((request, response) => {
    started.push(request.url ?? '');
    open.push(response);
    response.once('close', () => open.splice(open.indexOf(response), 1));
    request.resume();
    respond(response);
  });
}

/** Only where a client does nothing on purpose: a busy machine may take longer than so short a limit. */
async function withShortStallLimit(): Promise<void> {
  await listener.close({ idleMs: 0, graceMs: 0 });
  await start(100);
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const last = 'Connection: close\r\n';

async function send(bytes: string): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

/** Also one that was reset closes. */
const closing = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

/** Resolves once a request has been started. */
async function aResponse(): Promise<ServerResponse> {
  for (;;) {
    const [response] = open;
    if (response !== undefined) return response;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const bodies = (responses: string) => responses.match(/^\/\w+/gm);
const large = 'x'.repeat(8 * 1024 * 1024);

describe('requests that a client sends at once', () => {
  test('are responded to one by one, in order, with their bodies', async () => {
    let most = 0;
    respond = (response) => {
      most = Math.max(most, open.filter(({ writableFinished }) => !writableFinished).length);
      setImmediate(() => response.end(`${response.req.url}\n`));
    };
    const posts = Array.from(
      { length: 40 },
      (_, index) => `POST /r${index} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello`,
    );
    const socket = await send(posts.join('') + get('/end', last));
    expect(bodies(await text(socket))).toEqual([...posts.map((_, index) => `/r${index}`), '/end']);
    expect(most).toBe(1);
  });

  test('and more than may wait cost the connection', async () => {
    respond = () => {};
    const socket = await send(get('/one').repeat(pipelinedRequestsLimit + 2));
    await closing(socket);
    expect(started).toEqual(['/one']);
  });

  test('are not started after one that ends the connection', async () => {
    respond = (response) => response.setHeader('Connection', 'close').end(response.req.url);
    const socket = await send(get('/one') + get('/two'));
    expect(await text(socket)).toMatch('/one');
    expect(started).toEqual(['/one']);
  });
});

describe('a connection closes when its client', () => {
  beforeEach(withShortStallLimit);

  test('takes no response; the next request is not started meanwhile', async () => {
    respond = (response) => response.end(large);
    const socket = await send(get('/one') + get('/two'));
    const response = await aResponse();
    expect(response.writableEnded).toBe(true);
    await once(response, 'close');
    expect([response.writableFinished, started]).toEqual([false, ['/one']]);
    socket.resume();
    await closing(socket);
  });

  test('goes on sending meanwhile', async () => {
    respond = (response) => response.end(large);
    const socket = await send(get('/one'));
    const response = await aResponse();
    const sending = setInterval(() => socket.write('GET'), 20);
    await once(response, 'close');
    clearInterval(sending);
    expect(response.writableFinished).toBe(false);
  });

  test('sends a part of a body: 408', async () => {
    respond = () => {};
    const socket = await send('POST /one HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhalf');
    expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /);
  });

  test('sends nothing', async () => {
    const socket = await send('');
    await closing(socket);
  });

  test('takes part of a response slowly produced', async () => {
    respond = (response) => response.write(large);
    await send(get('/one'));
    const response = await aResponse();
    await once(response, 'close');
    expect(response.writableEnded).toBe(false);
  });
});

test('a client waits for a response as long as it takes', async () => {
  await withShortStallLimit();
  let stalls = 0;
  respond = (response) => {
    response.socket?.on('timeout', () => {
      stalls += 1;
      if (stalls === 3) response.end('at last');
    });
  };
  const socket = await send(get('/one', last));
  expect(await text(socket)).toMatch('at last');
});

describe('at the end', () => {
  test('what was read gets its response, and only the last of a connection asks the client to leave', async () => {
    respond = () => {};
    const socket = await send(get('/one') + get('/two'));
    const response = await aResponse();
    const received = text(socket);
    const closed = listener.close({ idleMs: 60_000, graceMs: 60_000 });
    await expect(refused()).resolves.toBe('ECONNREFUSED');
    respond = (next) => next.end(next.req.url);
    response.end(response.req.url);
    const parts = (await received).split('HTTP/1.1 200 OK').slice(1);
    expect(parts.map((part) => part.includes('Connection: close'))).toEqual([false, true]);
    await closed;
  });

  test('a connection that is idle stays for a while, and a request on it is responded to', async () => {
    const socket = await send(get('/one'));
    await once(socket, 'data');
    const closed = listener.close({ idleMs: 60_000, graceMs: 60_000 });
    await refused();
    socket.write(get('/two'));
    expect(await text(socket)).toMatch(/Connection: close[\s\S]*\/two$/);
    await closed;
  });

  test('one that is still idle then closes, and one with a part of a request only at the very end', async () => {
    const half = await send('GET /half HTTP');
    const halfClosed = closing(half);
    // The second response says that the half, which came before, was read.
    const idle = await send(get('/one'));
    await once(idle, 'data');
    idle.write(get('/two'));
    await once(idle, 'data');
    const closed = listener.close({ idleMs: 10, graceMs: 60_000 });
    await closing(idle);
    half.write(`/1.1\r\nHost: x\r\n\r\n`);
    expect(await text(half)).toMatch('/half');
    await Promise.all([halfClosed, closed]);
  });

  test('responses that were given to the connection arrive whole', async () => {
    respond = (response) => response.end(large);
    const socket = await send(get('/one'));
    await aResponse();
    const closed = listener.close({ idleMs: 0, graceMs: 60_000 });
    expect((await text(socket)).length).toBeGreaterThan(large.length);
    await closed;
  });
});

/** The error of a connection, once none is accepted. */
async function refused(): Promise<string> {
  for (;;) {
    const socket = connect(listener.port, '127.0.0.1');
    const error = await Promise.race([
      once(socket, 'connect').then(() => undefined),
      once(socket, 'error').then(([cause]) => cause as NodeJS.ErrnoException),
    ]).catch((cause: NodeJS.ErrnoException) => cause);
    socket.destroy();
    if (error?.code === 'ECONNREFUSED') return error.code;
  }
}
