/** What the document alone decides, on the service with its demo data and on the mock. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DocumentedOperation, operations, pathOf, requestsOf, secured } from '../../../spec/document.ts';
import { startMock } from '../../support/document/prism.ts';
import { call } from '../../support/service/api.ts';
import { sharedDemo } from '../../support/shared/service.ts';

interface Partner {
  baseUrl: string;
  token: string;
  /** Client credentials for the token endpoint, where they matter. */
  credentials: Record<string, string>;
  end: () => Promise<void>;
}

const partners: Record<string, () => Promise<Partner>> = {
  service: async () => {
    const { demo, token } = await sharedDemo();
    const { baseUrl, clientId, clientSecret } = demo;
    const credentials = { client_id: clientId, client_secret: clientSecret };
    return { baseUrl, token, credentials, end: async () => {} };
  },
  mock: async () => {
    const mock = await startMock();
    return { baseUrl: mock.baseUrl, token: 'any', credentials: {}, end: () => mock.stop() };
  },
};

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

describe.each(Object.keys(partners))('the %s', (kind) => {
  let partner: Partner;
  beforeAll(async () => {
    partner = await (partners[kind] as () => Promise<Partner>)();
  });
  afterAll(() => partner.end());

  const ask = (operation: DocumentedOperation, body: Record<string, unknown>, token?: string) => {
    const { type } = requestsOf(operation);
    if (operation.requestBody === undefined)
      return call(partner.baseUrl, pathOf(operation), { method: operation.method.toUpperCase(), token });
    const form = { ...body, ...partner.credentials } as Record<string, string>;
    return call(partner.baseUrl, pathOf(operation), {
      method: operation.method.toUpperCase(),
      token,
      body: type === 'application/json' ? body : new URLSearchParams(form).toString(),
      headers: { 'content-type': type },
    });
  };

  test.each(bodies)('200 $name, as published', async ({ operation, body }) => {
    const answer = await ask(operation, body, operation.security?.length ? partner.token : undefined);
    expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  });

  test.each(named)('401 $name without a token', async ({ operation }) => {
    const answer = await ask(operation, {});
    expect([answer.status, answer.body]).toEqual([401, { desc: 'A bearer token is required.' }]);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  test.each(
    named.filter(({ operation }) => operation.requestBody !== undefined),
  )('400 $name with an unknown mode', async ({ operation }) => {
    expect((await ask(operation, { type: 'NoSuchMode' }, partner.token)).status).toBe(400);
  });

  test.each(modes)('400 $name without its fields', async ({ operation, type }) => {
    expect((await ask(operation, { type }, partner.token)).status).toBe(400);
  });
});
