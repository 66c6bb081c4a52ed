/** The mock, plain Prism on the document, accepts every published request; it and the sandbox show any documented response. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { answerExamples, type DocumentedOperation, operations, requestsOf } from '../../spec/document.ts';
import { forEvery } from '../../src/platform/for-every-testing.ts';
import { type Prism, startMock, startSandbox } from '../support/document/prism.ts';
import { askAsPublished } from '../support/document/published-requests.ts';

let partners: Record<'mock' | 'sandbox', Prism>;

beforeAll(async () => {
  const [mock, sandbox] = await Promise.all([startMock(), startSandbox()]);
  partners = { mock, sandbox };
});
afterAll(() => Promise.all(Object.values(partners).map(({ stop }) => stop())));

const named = operations.map((operation) => ({ operation, name: operation.operationId }));

test('every response in the document has an example, but for files', () => {
  const shown = new Set(
    answerExamples().map(({ operation, status }) => `${operation.operationId} ${status}`),
  );
  const documented = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([, { content }]) => content?.['*/*'] === undefined)
      .map(([status]) => `${operationId} ${status}`),
  );
  expect(documented.filter((one) => !shown.has(one))).toEqual([]);
});

describe.each(['mock', 'sandbox'] as const)('the %s shows what Prefer names', (kind) => {
  test('each', () =>
    forEvery(
      answerExamples().map((one) => ({
        ...one,
        title: `${one.operation.operationId} ${one.status} ${one.name}`,
      })),
      '$title',
      async ({ operation, status, name, value }) => {
        const headers = { prefer: `code=${status}, example=${name}` };
        const answer = await askAsPublished(partners[kind].baseUrl, operation, { token: 'any', headers });
        expect([String(answer.status), answer.body]).toEqual([status, value]);
        expect(answer.headers.get('sl-violations')).toBeNull();
      },
    ));
});

describe('without Prefer the mock', () => {
  const ask = (operation: DocumentedOperation, more: Parameters<typeof askAsPublished>[2] = {}) =>
    askAsPublished(partners.mock.baseUrl, operation, { token: 'any', ...more });

  test('accepts every published request', () =>
    forEvery(named, '$name accepts every published request', async ({ operation }) => {
      const bodies =
        operation.requestBody === undefined ? [undefined] : requestsOf(operation).examples.values();
      for (const body of bodies) expect((await ask(operation, { body })).status).toBe(200);
    }));

  test('returns 401 without a token', () =>
    forEvery(
      named.filter(({ operation }) => operation.security?.length),
      '$name returns 401 without a token',
      async ({ operation }) => {
        const answer = await ask(operation, { token: undefined });
        expect([answer.status, answer.body]).toEqual([401, { desc: 'A bearer token is required.' }]);
      },
    ));

  test('rejects a wrong body with a documented response, and says what is wrong', () =>
    forEvery(
      named.filter(({ operation }) => operation.requestBody !== undefined),
      '$name rejects a wrong body with a documented response, and says what is wrong',
      async ({ operation }) => {
        const answer = await ask(operation, { body: { type: 'NoSuchMode' } });
        expect(answer.status).toBe(400);
        expect(answer.headers.get('sl-violations')).toContain('"location":["request","body"');
      },
    ));
});
