/** Requests as operators meet them: one that has left for the archive says so, and one that was sent cannot be cancelled. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testEvery } from '../../../src/platform/for-every-testing.ts';
import type { CallManagement } from '../../support/management/caller.ts';
import {
  type ManagementOperation,
  operations,
  requireConformity,
} from '../../support/management/document.ts';
import { type Named, names } from '../../support/management/named.ts';
import { addMessage } from '../../support/management/sent-message.ts';
import { type ManagementService, startManagementService } from '../../support/management/service.ts';

let service: ManagementService;
let root: CallManagement;
const [archived, acme, other] = ['archived', 'acme', 'other'].map(names) as [Named, Named, Named];
beforeAll(async () => {
  service = await startManagementService();
  root = await service.user('root', { role: 'owner' });
  for (const { teamId } of [archived, acme]) await root('POST /teams', { id: teamId });
  for (const team of [archived, acme]) await addMessage(service.management, team);
  const { knex } = service.management;
  const { teamId, requestId } = archived;
  await knex('archive_segments').insert({
    ...{ number: 1, file: '', manifest: '{}', left_at: knex.raw('service_now()'), teams: [teamId] },
    ...{ first_request_id: requestId, last_request_id: requestId },
  });
  await knex('messages').where({ request_id: requestId }).delete();
  await knex('requests').where({ id: requestId }).delete();
});
afterAll(() => service.close());

const operationOf = (id: string) =>
  operations.find(({ operationId }) => operationId === id) as ManagementOperation;

testEvery([
  ['getRequest', 'GET', ''],
  ['listRequestMessages', 'GET', '/messages'],
  ['getMessage', 'GET', '/messages/06ab8348-5521-5c1b-9b76-9266b50a403e'],
  ['getConversation', 'GET', '/messages/06ab8348-5521-5c1b-9b76-9266b50a403e/conversation'],
  ['cancelRequest', 'POST', '/cancel'],
])('404 of %s', async (id, method, path) => {
  const ofTeam = await service.user(`of-${id}`, { role: 'owner', teamId: archived.teamId });
  const left = ' is not in the database: requests of its time have left for the archive (segment 1)';
  for (const [by, { requestId }, code, sentence] of [
    [root, archived, 'management-archived', left],
    [ofTeam, archived, 'management-archived', left],
    [root, other, 'management-not-found', ' does not exist'],
  ] as const) {
    const answer = await by(`${method} /requests/${requestId}${path}`);
    requireConformity(operationOf(id), answer);
    expect([answer.status, answer.headers.get('error-code')]).toEqual([404, code]);
    expect(answer.body.desc).toContain(sentence);
  }
});

test('409: all messages were sent', async () => {
  const { requestId } = acme;
  await service.management.knex('messages').where({ request_id: requestId }).update({ state: 'Delivered' });
  const answer = await root(`POST /requests/${requestId}/cancel`);
  requireConformity(operationOf('cancelRequest'), answer);
  const desc = `request ${requestId} has no message left to cancel`;
  expect([answer.status, answer.body]).toEqual([409, { desc }]);
});
