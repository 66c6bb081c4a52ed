/** Which requests are rejected before their body is read, and how much of it is read. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Router from '@koa/router';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { systemClock } from '../../platform/clock.ts';
import { errors } from '../../platform/errors.ts';
import { createEvents } from '../../process/events.ts';
import { type Listener, listen } from '../connections/listener.ts';
import { createGuard } from '../guard.ts';
import { createInboundRoutes } from '../routes/inbound-routes.ts';
import { type HttpServer, startServer } from '../server.ts';

const mebibyte = 1024 * 1024;
let listener: Listener;
let server: HttpServer;
let received: number[];
let sockets: Socket[];

beforeEach(async () => {
  received = [];
  sockets = [];
  const logger = pino({ level: 'silent' });
  const registry = new Registry();
  const guard = createGuard(systemClock);
  const inbound = createInboundRoutes(
    async (name) =>
      name === 'network'
        ? {
            challenge: () => undefined,
            takesGet: false,
            hasSignature: ({ headers: { signature } }) => signature !== undefined,
            receive: async ({ headers, body }) => {
              received.push(body.length);
              return headers.signature === 'right';
            },
          }
        : undefined,
    guard,
  );
  listener = await listen({ host: '127.0.0.1', port: 0, connectionLimit: 100 });
  server = startServer(
    {
      logger,
      clock: systemClock,
      registry,
      events: createEvents(registry, logger),
      trustedProxyHops: 0,
      guard,
      pages: [new Router()],
      inbound,
      contract: {
        serve: () => {
          throw errors.noRoute();
        },
        methodsAt: () => [],
      },
      listsWebOrigin: async () => false,
    },
    listener,
  );
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server.stop({ drainMs: 0, graceMs: 0 });
});

const post = (path: string, headers: string, body = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

/** Sends bytes and resolves with the head of the response; the connection stays open. */
async function headOf(request: string): Promise<string> {
  const socket = connect(listener.port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  socket.write(request);
  const [bytes] = await once(socket, 'data');
  return String(bytes);
}

describe('without a byte of the body', () => {
  test.each([
    ['404 of an unknown connector', '/inbound/unknown', 'Signature: right', 404],
    ['401 without a signature', '/inbound/network', 'X: y', 401],
    ['404 of an unknown path', '/nowhere', 'X: y', 404],
    ['400 of a body that is announced too large', '/inbound/network', 'Signature: right', 400],
  ])('%s', async (_case, path, header, status) => {
    const length = status === 400 ? 4 * mebibyte + 1 : 4 * mebibyte;
    const head = await headOf(post(path, `${header}\r\nContent-Length: ${length}`));
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/^Connection: close\r$/im);
    expect(received).toEqual([]);
  });

  test('a client that expects 100-continue gets the error instead', async () => {
    const expecting = 'Expect: 100-continue\r\nContent-Length: 100';
    expect(await headOf(post('/inbound/unknown', expecting))).toMatch(/^HTTP\/1.1 404 /);
    expect(await headOf(post('/inbound/network', `Signature: right\r\n${expecting}`))).toMatch(
      /^HTTP\/1.1 100 Continue\r\n/,
    );
  });
});

test('a client that sends all of a rejected body still receives the response', async () => {
  for (let run = 0; run < 20; run += 1) {
    const response = await fetch(`http://127.0.0.1:${listener.port}/inbound/unknown`, {
      method: 'POST',
      body: Buffer.alloc(4 * mebibyte),
    });
    expect([response.status, await response.json()]).toEqual([404, { desc: 'Resource not found.' }]);
  }
});

test.each([
  ['right', 200],
  ['wrong', 401],
])('with a %s signature the whole body is read, and the status is %i', async (signature, status) => {
  const response = await fetch(`http://127.0.0.1:${listener.port}/inbound/network`, {
    method: 'POST',
    headers: { signature },
    body: Buffer.alloc(4 * mebibyte),
  });
  expect([response.status, received]).toEqual([status, [4 * mebibyte]]);
});

test('half-sent bodies of one address hold no more than its share; beyond it they get 429', async () => {
  const half = post('/inbound/network', `Signature: right\r\nContent-Length: ${4 * mebibyte}`);
  const refusals: string[] = [];
  await new Promise<void>((resolve) => {
    for (let sender = 0; sender < 24; sender += 1) {
      const socket = connect(listener.port, '127.0.0.1').on('error', () => {});
      sockets.push(socket);
      socket.on('data', (bytes) => {
        refusals.push(String(bytes));
        // The share is 16 MiB, so 8 of 24 are one too many.
        if (refusals.length === 8) resolve();
      });
      socket.write(half);
      socket.write(Buffer.alloc(mebibyte));
    }
  });
  expect(refusals[0]).toMatch(/^HTTP\/1.1 429 /);
});

test.each([
  ['two Host lines', 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  ['two equal Host lines in odd letters', 'GET / HTTP/1.1\r\nhost: a\r\nHOST: a\r\n\r\n', 400],
  ['two Host lines in HTTP/1.0', 'GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  ['HTTP/2.0', 'GET / HTTP/2.0\r\nHost: a\r\n\r\n', 505],
  ['HTTP/0.9', 'GET / HTTP/0.9\r\nHost: a\r\n\r\n', 505],
  ['HTTP/1.2', 'GET / HTTP/1.2\r\nHost: a\r\n\r\n', 505],
  ['two Host lines before a body', post('/', 'Host: y\r\nExpect: 100-continue\r\nContent-Length: 9'), 400],
])('malformed HTTP: %s', async (_case, request, status) => {
  const response = await headOf(request);
  expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(response).toMatch(/\{"desc":"The request is not valid HTTP: [\w ]+\."\}$/);
});
