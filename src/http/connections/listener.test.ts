/** A listener is bound before anything serves on it. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { listen } from './listener.ts';

const address = { host: '127.0.0.1', port: 0, connectionLimit: 10 };

/** Sends a request; resolves with the connection when it is sent. */
async function send(port: number, request: string) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  await new Promise<void>((resolve) => {
    socket.write(request, () => resolve());
  });
  return socket;
}

test('requests that arrive before it serves wait, and all get responses', async () => {
  const listener = await listen(address);
  const get = (path: string) =>
    send(listener.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const early = [await get('/one'), await get('/two')];
  // Invalid HTTP is rejected at once: by then the two have arrived.
  expect(await text(await send(listener.port, 'nonsense\r\n\r\n'))).toMatch(/^HTTP\/1.1 400 /);
  const served: (string | undefined)[] = [];
  listener.serve((request, response) => {
    served.push(request.url);
    response.end();
  });
  expect(served).toEqual(['/one', '/two']);
  for (const socket of early) expect(await text(socket)).toMatch(/^HTTP\/1.1 200 /);
  expect(await text(await get('/three'))).toMatch(/^HTTP\/1.1 200 /);
  await listener.close({ idleMs: 0, graceMs: 0 });
});

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.1'],
])('the url of a listener on %s names %s', async (host, named) => {
  const listener = await listen({ ...address, host });
  expect(listener.url).toBe(`http://${named}:${listener.port}`);
  await listener.close({ idleMs: 0, graceMs: 0 });
});

testEvery([
  ['GET http://elsewhere.example/docs?a=b', 'GET', '/docs?a=b'],
  ['GET HTTP://elsewhere.example', 'GET', '/'],
  ['GET http://elsewhere.example?a=b', 'GET', '/?a=b'],
  ['OPTIONS *', 'OPTIONS', '*'],
])('%s is served as %s %s', async (line, method, url) => {
  const listener = await listen(address);
  listener.serve((request, response) => response.end(`${request.method} ${request.url}`));
  const socket = await send(listener.port, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(await text(socket)).toMatch(`${method} ${url}`);
  await listener.close({ idleMs: 0, graceMs: 0 });
});

testEvery(['GET *', 'GET http://', 'GET http:///docs', 'GET https://?a', 'OPTIONS http://'])(
  '400 %s: the target has no path',
  async (line) => {
    const listener = await listen(address);
    const socket = await send(listener.port, `${line} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /);
    await listener.close({ idleMs: 0, graceMs: 0 });
  },
);
