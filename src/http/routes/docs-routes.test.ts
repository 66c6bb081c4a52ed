/** Requests that no browser on this machine sends, and what the documentation responds to them. */
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import { loadDocument } from '../../contract/document.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Serving, serving } from '../../platform/serving-testing.ts';
import { createDocsRoutes } from './docs-routes.ts';
import { isOwnMachine, isOwnUrl } from './own-machine.ts';

let server: Serving;

beforeAll(async () => {
  const publicUrl = 'http://127.0.0.1:3000';
  const { showNotFound } = createDocsRoutes({ document: loadDocument(), basePath: '', publicUrl });
  const app = new Koa();
  app.use(showNotFound);
  app.use((ctx) => {
    ctx.status = 404;
    ctx.set('Error-Code', 'no-route');
    ctx.body = 'none';
  });
  server = await serving(app.callback());
});
afterAll(() => server.close());

test('a browser that asks about the whole server gets no page', async () => {
  const asked = request({
    port: new URL(server.url).port,
    method: 'OPTIONS',
    path: '*',
    headers: { accept: 'text/html' },
  }).end();
  const [response] = await once(asked, 'response');
  expect([response.statusCode, await text(response)]).toEqual([404, 'none']);
});

describe('who may see the credentials of a demo', () => {
  const direct = { remoteAddress: '127.0.0.1', host: 'localhost:3000', httpVersion: '1.1' };
  const isOwn = ({ remoteAddress, host, httpVersion, ...headers }: typeof direct) =>
    isOwnMachine({ req: { socket: { remoteAddress }, httpVersion }, headers: { host, ...headers } } as never);

  testEvery([
    [{}, true],
    [{ host: '127.0.0.1:3000' }, true],
    [{ host: '[::1]:3000', remoteAddress: '::1' }, true],
    [{ remoteAddress: '::ffff:127.0.0.1' }, true],
    [{ remoteAddress: '192.168.1.7' }, false],
    [{ host: 'rebound.example:3000' }, false],
    [{ host: '127.0.0.1.rebound.example' }, false],
    [{ host: 'localhost.rebound.example' }, false],
    [{ httpVersion: '1.0' }, false],
    [{ 'x-real-ip': '203.0.113.7' }, false],
    [{ 'x-forwarded-proto': 'https' }, false],
    [{ forwarded: 'for=203.0.113.7' }, false],
  ])('%j: %s', (facts, expected) => {
    expect(isOwn({ ...direct, ...facts })).toBe(expected);
  });

  testEvery([
    ['http://127.0.0.1:3000', true],
    ['http://[::1]:3000', true],
    ['http://localhost:3000/base', true],
    ['https://demo.example', false],
    ['http://localhost.demo.example', false],
  ])('where the service is reached at %s: %s', (url, expected) => {
    expect(isOwnUrl(url)).toBe(expected);
  });
});
