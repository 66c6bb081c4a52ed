/** Everything that is served beside the contract, called with every method. */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { testEvery } from '../../src/platform/for-every-testing.ts';
import { call } from '../support/service/api.ts';
import { type SharedService, sharedService } from '../support/shared/service.ts';

let service: SharedService;

beforeAll(() => {
  service = sharedService();
});

const read = [
  '/',
  '/healthz',
  '/readyz',
  '/openapi.yaml',
  '/openapi.json',
  '/asyncapi.yaml',
  '/.well-known/jwks.json',
  '/.well-known/oauth-authorization-server',
  '/llms.txt',
  '/docs',
  '/docs.md',
  '/docs/',
  '/docs/search.json',
  '/docs/guides',
  '/docs/guides/errors',
  '/docs/guides/errors.md',
  '/docs/errors',
  '/docs/assets/style.css',
];

testEvery(read)('405 for all methods but GET and HEAD, with Allow: %s', async (path) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const { status, body, headers } = await call(service.demo.baseUrl, path, { method });
    expect([status, body, headers.get('allow')]).toEqual([
      405,
      { desc: `Method ${method} is not allowed here.` },
      'GET, HEAD',
    ]);
  }
});

testEvery(read)('HEAD responds like GET, without the body: %s', async (path) => {
  const [head, got] = [await ask('HEAD', path), await ask('GET', path)];
  expect([head.status, head.type]).toEqual([got.status, got.type]);
  expect([head.text, got.text === '']).toEqual(['', false]);
});

testEvery(['PUT', 'DELETE'])('405 %s where networks call', async (method) => {
  const { status, headers } = await call(service.demo.baseUrl, '/inbound/whatsapp', { method });
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
});

testEvery([
  ['POST', '/docs/guides/errors/more'],
  ['POST', '/health'],
  ['GET', '/metrics'],
  ['DELETE', '/message'],
  ['POST', '/inbound/nobody'],
  ['GET', '/docs/errors/no-such-error'],
])('404 %s %s', async (method, path) => {
  expect((await call(service.demo.baseUrl, path, { method })).status).toBe(404);
});

test('302 GET / leads to the documentation', async () => {
  const { status, headers } = await call(service.demo.baseUrl, '/', { method: 'GET' });
  const { href } = new URL(headers.get('location') ?? '', service.demo.baseUrl);
  expect([status, href]).toEqual([302, `${service.demo.baseUrl}/docs`]);
});

/** By Node's own client, which shows what really came. */
async function ask(
  method: string,
  path: string,
): Promise<{ status: number | undefined; type: string | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    request(`${service.demo.baseUrl}${path}`, { method, agent: false }, async (response) => {
      const { statusCode: status, headers } = response;
      resolve({ status, type: headers['content-type'], text: await text(response) });
    })
      .on('error', reject)
      .end();
  });
}
