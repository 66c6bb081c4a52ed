/** What the document alone decides, on the service with its demo data. */
import { beforeAll, expect, test } from '@jest/globals';
import { operations, requestsOf } from '../../../spec/document.ts';
import type { Demo } from '../../../src/demo/file.ts';
import { forEvery } from '../../../src/platform/for-every-testing.ts';
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
test('every operation with a body has a published request', () => {
  const without = operations.filter(
    (operation) => operation.requestBody !== undefined && requestsOf(operation).examples.size === 0,
  );
  expect(without).toEqual([]);
});

test('200 as published', () => {
  const { clientId: client_id, clientSecret: client_secret } = demo;
  return forEvery(bodies, '200 $name, as published', async ({ operation, body }) => {
    const { type } = requestsOf(operation);
    const form = type === 'application/json' ? {} : { client_id, client_secret };
    const answer = await askAsPublished(demo.baseUrl, operation, { token, body: { ...body, ...form } });
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
    // Those of errors.
    expect([answer.headers.get('error-code'), answer.headers.get('link')]).toEqual([null, null]);
  });
});
