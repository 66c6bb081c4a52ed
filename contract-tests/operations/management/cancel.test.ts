/** Operators cancel requests, too, and hear of it if there is nothing left to cancel. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type ManagementOperation,
  operations,
  requireConformity,
} from '../../support/management/document.ts';
import { names } from '../../support/management/named.ts';
import { addMessage } from '../../support/management/sent-message.ts';
import { type ManagementService, startManagementService } from '../../support/management/service.ts';

let service: ManagementService;
beforeAll(async () => {
  service = await startManagementService();
});
afterAll(() => service.close());

test('409: all messages were sent', async () => {
  const root = await service.user('root', { role: 'owner' });
  await root('POST /teams', { id: 'acme' });
  const acme = names('acme');
  await addMessage(service.management, acme);
  await service.management.knex('messages').update({ state: 'Delivered' });
  const answer = await root(`POST /requests/${acme.requestId}/cancel`);
  const operation = operations.find(({ operationId }) => operationId === 'cancelRequest');
  requireConformity(operation as ManagementOperation, answer);
  expect([answer.status, answer.body]).toEqual([
    409,
    { desc: `request ${acme.requestId} has no message left to cancel` },
  ]);
});
