/** What the log and the metrics contain of a request, and what they never contain. */
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Koa from 'koa';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { type Serving, serving } from '../platform/serving-testing.ts';
import { logAccess } from './access-log.ts';
import { noteOrigin } from './origin.ts';
import { requestId } from './request-id.ts';

let server: Serving;
let registry: Registry;
let lines: string[];
let answer: Koa.Middleware;

beforeEach(async () => {
  lines = [];
  registry = new Registry();
  const log = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = new Koa();
  app.use(requestId);
  app.use(noteOrigin(0));
  app.use(logAccess(pino({ base: null }, log), registry));
  app.use((ctx, next) => answer(ctx, next));
  server = await serving(app.callback());
});
afterEach(() => server.close());

const line = () => JSON.parse(lines.join(''));

test('caller, operation, outcome and duration, but no contents', async () => {
  answer = async (ctx) => {
    ctx.state.operationId = 'sendSms';
    ctx.state.caller = { clientId: 'orders', teamId: 'acme', scopes: ['secret-scope'] };
    ctx.status = 200;
    ctx.body = 'canary of the answer';
  };
  await fetch(`${server.url}/message/canary-of-the-path?canary=query`, {
    method: 'POST',
    headers: { authorization: 'Bearer canary', 'x-request-id': 'mine-1' },
    body: 'canary +254711987654',
  });
  expect(line()).toEqual({
    level: 30,
    time: expect.any(Number),
    requestId: 'mine-1',
    method: 'POST',
    operation: 'sendSms',
    status: 200,
    ms: expect.any(Number),
    clientId: 'orders',
    teamId: 'acme',
    msg: 'request',
  });
});

test('requests of no operation share one label, however many paths are tried', async () => {
  answer = async (ctx) => {
    ctx.status = 404;
  };
  for (const path of ['/a', '/b', '/c']) await fetch(server.url + path);
  const metrics = await registry.metrics();
  expect(metrics).toContain('tarishi_http_request_seconds_count{operation="none",status="404"} 3');
});

test.each([
  ['of 64 characters is accepted', `${'x'.repeat(60)}_1-A`, `${'x'.repeat(60)}_1-A`],
  ['of 65 is replaced', 'x'.repeat(65), expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ['that could forge a line is replaced', 'a","level":60', expect.stringMatching(/^[0-9a-f-]{36}$/)],
])('an X-Request-Id that … %s', async (_rule, given, expected) => {
  answer = async (ctx) => {
    ctx.status = 204;
  };
  const { headers } = await fetch(server.url, { headers: { 'x-request-id': given } });
  expect(headers.get('x-request-id')).toEqual(expected);
  expect(line().requestId).toBe(headers.get('x-request-id'));
});

test('of a 401 also the address and the exact reason', async () => {
  answer = async (ctx) => {
    ctx.status = 401;
    ctx.state.refusal = { slug: 'invalid-token', reason: 'expired' };
  };
  await fetch(server.url);
  expect(line()).toMatchObject({
    status: 401,
    error: 'invalid-token',
    reason: 'expired',
    address: '127.0.0.1',
  });
});
