/** What the document alone decides, on the service with its demo data. */
import { beforeAll, expect, test } from '@jest/globals';
import { type DocumentedOperation, operations, requestsOf, secured } from '../../../spec/document.ts';
import type { Demo } from '../../../src/demo/file.ts';
import { forEvery, testEvery } from '../../../src/platform/for-every-testing.ts';
import { askAsPublished } from '../../support/document/published-requests.ts';
import { sharedDemo } from '../../support/shared/service.ts';

let demo: Demo;
let token: string;

beforeAll(async () => {
  ({ demo, token } = await sharedDemo());
});

const bodies = operations.flatMap((operation) =>
  [...requestsOf(operation).examples].map(([name, body]) => ({
    operation,
    body: body as Record<string, unknown>,
    name: `${operation.operationId}: ${name}`,
  })),
);
const modes = operations.flatMap((operation) =>
  [...new Set(bodies.filter((one) => one.operation === operation).map(({ body }) => body.type))]
    .filter((type) => type !== undefined)
    .map((type) => ({ operation, type, name: `${operation.operationId} ${type}` })),
);
const named = secured.map((operation) => ({ operation, name: operation.operationId }));

test('every operation with a body has a published request', () => {
  const without = operations.filter(
    (operation) => operation.requestBody !== undefined && requestsOf(operation).examples.size === 0,
  );
  expect(without).toEqual([]);
});

const ask = (operation: DocumentedOperation, body: Record<string, unknown>, as?: string) => {
  const { clientId: client_id, clientSecret: client_secret } = demo;
  const { type } = requestsOf(operation);
  const form = type === 'application/json' ? {} : { client_id, client_secret };
  return askAsPublished(demo.baseUrl, operation, { token: as, body: { ...body, ...form } });
};

test('200 as published', () =>
  forEvery(bodies, '200 $name, as published', async ({ operation, body }) => {
    const answer = await ask(operation, body, token);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  }));

testEvery(named)('401 $name without a token', async ({ operation }) => {
  const answer = await ask(operation, {});
  expect([answer.status, answer.body]).toEqual([401, { desc: 'A bearer token is required.' }]);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
});

testEvery(named.filter(({ operation }) => operation.requestBody !== undefined))(
  '400 $name with an unknown mode',
  async ({ operation }) => {
    expect((await ask(operation, { type: 'NoSuchMode' }, token)).status).toBe(400);
  },
);

testEvery(modes)('400 $name without its fields', async ({ operation, type }) => {
  expect((await ask(operation, { type }, token)).status).toBe(400);
});
