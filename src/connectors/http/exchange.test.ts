/** An exchange with a provider says correctly whether the request may have arrived, and is bounded. */
import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { bind } from '../../platform/bind.ts';
import { systemClock } from '../../platform/clock.ts';
import { serving } from '../../platform/serving-testing.ts';
import { createProviderClient, type ProviderClient } from './exchange.ts';

const opened: { close: () => unknown }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

async function provider(answer: (response: ServerResponse) => void): Promise<string> {
  const server = await serving((_request, response) => answer(response));
  opened.push(server);
  return server.url;
}
async function tcp(onSocket: (socket: Socket) => void): Promise<string> {
  const server = createServer(onSocket);
  opened.push(server);
  return `http://127.0.0.1:${await bind(server, { host: '127.0.0.1', port: 0 })}`;
}

function client(baseUrl: string, timeoutMs = 30_000): ProviderClient {
  const made = createProviderClient({ baseUrl, timeoutMs, clock: systemClock });
  opened.push(made);
  return made;
}
const get = { method: 'GET', path: '/x', headers: {} } as const;

test('a response has its status, its JSON and its Retry-After', async () => {
  const url = await provider((response) =>
    response.writeHead(429, { 'Retry-After': '7' }).end(JSON.stringify({ a: 1 })),
  );
  expect(await client(url).exchange(get)).toEqual({
    kind: 'answered',
    status: 429,
    body: { a: 1 },
    text: '{"a":1}',
    retryAfterSeconds: 7,
  });
});

test('a body that is not JSON is ignored', async () => {
  const url = await provider((response) => response.writeHead(502).end('<html>'));
  expect(await client(url).exchange(get)).toEqual({
    kind: 'answered',
    status: 502,
    body: undefined,
    text: '<html>',
  });
});

test('a redirect is not followed', async () => {
  const url = await provider((response) =>
    response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
  );
  expect(await client(url).exchange(get)).toMatchObject({ kind: 'answered', status: 302 });
});

test('an endless body is cut off: the request has arrived', async () => {
  const url = await provider((response) => {
    response.writeHead(200);
    const chunk = Buffer.alloc(64 * 1024, 'a');
    const pour = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pour);
    pour();
  });
  expect(await client(url).exchange(get)).toMatchObject({
    kind: 'unanswered',
    reason: 'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  });
});

test('headers and then silence: in time, it may have arrived', async () => {
  const url = await provider((response) => response.writeHead(200).write('{'));
  expect(await client(url, 1_000).exchange(get)).toEqual({ kind: 'unanswered', reason: 'timeout' });
});

test('a peer that hangs up after connecting: it may have arrived', async () => {
  const url = await tcp((socket) => socket.once('data', () => socket.destroy()));
  expect(await client(url).exchange(get)).toMatchObject({ kind: 'unanswered' });
});

test.each([
  ['nobody listens', 'http://127.0.0.1:1'],
  ['a name without an address', 'http://provider.invalid'],
])('%s: nothing was sent', async (_name, url) => {
  expect(await client(url).exchange(get)).toMatchObject({ kind: 'unsent' });
});

test('no TLS where it is expected: nothing was sent', async () => {
  const url = await tcp((socket) => socket.end('220 mail\r\n'));
  expect(await client(url.replace('http:', 'https:')).exchange(get)).toMatchObject({ kind: 'unsent' });
});

test('a closed client sends nothing more, and is closed once pending calls have responses', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  const closing = client(await provider(asked.resolve));
  const underWay = closing.exchange(get);
  const response = await asked.promise;
  const closed = closing.close();
  expect(await closing.exchange(get)).toMatchObject({ kind: 'unsent' });
  response.end('{}');
  expect(await underWay).toMatchObject({ kind: 'answered', status: 200 });
  await closed;
});
