/** Requests that no browser of a person at the console's own address makes: rebound names, forms of other pages, plain HTTP. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect } from '@jest/globals';
import Koa from 'koa';
import { noteOrigin } from '../../http/origin.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createGate, type GateSettings } from './gate.ts';

const servers: { close: () => void }[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

type Sent = Readonly<Record<string, string>>;

/** The status that a request from this machine is refused with; 204 where it may pass. */
async function statusOf(settings: Partial<GateSettings>, method: string, headers: Sent): Promise<number> {
  const complete = { host: '127.0.0.1', consoleUrl: undefined, trustedProxyHops: 0, ...settings };
  const gate = createGate(complete);
  const app = new Koa();
  app.use(noteOrigin(complete.trustedProxyHops));
  app.use((ctx) => {
    ctx.status = gate(ctx)?.status ?? 204;
  });
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = request({
    port,
    host: '127.0.0.1',
    method,
    headers: { Host: `127.0.0.1:${port}`, ...headers },
  }).end();
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

const atProxy = { consoleUrl: 'https://console.example', trustedProxyHops: 1 };
const throughProxy = {
  Host: 'console.example',
  'X-Forwarded-For': '203.0.113.9',
  'X-Forwarded-Proto': 'https',
};
const own = { 'Sec-Fetch-Site': 'same-origin' };

testEvery<[string, Partial<GateSettings>, string, Sent, number]>([
  ['a browser on this machine', {}, 'GET', {}, 204],
  ['a rebound name', {}, 'GET', { Host: 'evil.example:3001' }, 421],
  ['a browser behind the proxy', atProxy, 'GET', throughProxy, 204],
  ['one that names its port', atProxy, 'GET', { ...throughProxy, Host: 'console.example:443' }, 204],
  ['a rebound name behind the proxy', atProxy, 'GET', { ...throughProxy, Host: 'evil.example' }, 421],
  ['plain HTTP to the proxy', atProxy, 'GET', { ...throughProxy, 'X-Forwarded-Proto': 'http' }, 403],
  ['what claims TLS without a proxy', { consoleUrl: 'https://console.example' }, 'GET', throughProxy, 403],
  [
    'a proxy that does not say who asks',
    atProxy,
    'GET',
    { Host: 'console.example', 'X-Forwarded-Proto': 'https' },
    403,
  ],
  [
    'a claim behind which a trusted proxy says http',
    atProxy,
    'GET',
    { ...throughProxy, 'X-Forwarded-Proto': 'https, http' },
    403,
  ],
  ['this machine through a proxy', {}, 'GET', { 'X-Forwarded-For': '203.0.113.9' }, 403],
  [
    'plain HTTP to another address of this machine',
    { host: '0.0.0.0' },
    'GET',
    { Host: '192.0.2.1:3001' },
    403,
  ],
  ['a form of the console', {}, 'POST', own, 204],
  [
    'a form of another origin',
    {},
    'POST',
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    403,
  ],
  ['a form that a person did not begin in a page', {}, 'POST', { 'Sec-Fetch-Site': 'none' }, 403],
  [
    'a form of a browser that knows Origin only',
    {},
    'POST',
    { Host: 'localhost:9', Origin: 'http://localhost:9' },
    204,
  ],
  ['such a form of another origin', {}, 'POST', { Host: 'localhost:9', Origin: 'http://evil.example' }, 403],
  ['such a form from a frame without an origin', {}, 'POST', { Origin: 'null' }, 403],
  [
    'such a form, behind a proxy that leaves out the port',
    { ...atProxy, consoleUrl: 'https://console.example:8443' },
    'POST',
    { ...throughProxy, Origin: 'https://console.example:8443' },
    204,
  ],
  ['a form without either', {}, 'POST', {}, 403],
])('%s', async (_what, settings, method, headers, status) => {
  expect(await statusOf(settings, method, headers)).toBe(status);
});
