/** What every operation says when the service cannot serve: 500 with the id of the request, 503 while the database is away. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type DocumentedOperation, operations } from '../../../spec/document.ts';
import { forEvery } from '../../../src/platform/for-every-testing.ts';
import { askAsPublished } from '../../support/document/published-requests.ts';
import { tokenFor } from '../../support/service/api.ts';
import { type InProcess, startInProcess } from '../../support/service/in-process.ts';

let service: InProcess;
let token: string;
beforeAll(async () => {
  service = await startInProcess();
  token = await tokenFor(service.demo.baseUrl, service.demo);
});
afterAll(() => service?.dispose());
afterEach(() => service.breakDatabase(undefined));

const requestId = 'a-fault-of-ours';
const credentials = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'x' };
const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

test.each<[number, Error, string, string | null]>([
  [
    ...([500, new Error('broken')] as const),
    ...([`Internal error. Quote request ${requestId} when you report it.`, null] as const),
  ],
  [503, gone, 'The service is temporarily unavailable. Try again later.', '5'],
])('%i of every operation', async (status, error, sentence, retryAfter) => {
  // Nothing that was read before is still known.
  service.pass(60_000);
  service.breakDatabase(error);
  const ask = (operation: DocumentedOperation) =>
    askAsPublished(service.demo.baseUrl, operation, {
      token,
      headers: { 'x-request-id': requestId },
      ...(operation.security?.length ? {} : { body: credentials }),
    });
  await forEvery(
    operations.map((operation) => ({ operation, name: operation.operationId })),
    '$name',
    async ({ operation }) => {
      const answer = await ask(operation);
      expect([answer.status, answer.body.desc ?? answer.body.error_description]).toEqual([status, sentence]);
      expect(answer.headers.get('retry-after')).toBe(retryAfter);
      expect(answer.headers.get('x-request-id')).toBe(requestId);
    },
  );
});
