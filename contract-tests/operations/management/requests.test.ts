/** Requests as operators meet them: one that has left for the archive says so, and one that was sent cannot be cancelled. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testEvery } from '../../../src/platform/for-every-testing.ts';
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

testEvery([
  ['getRequest', 'GET', ''],
  ['listRequestMessages', 'GET', '/messages'],
  ['getMessage', 'GET', '/messages/06ab8348-5521-5c1b-9b76-9266b50a403e'],
  ['getConversation', 'GET', '/messages/06ab8348-5521-5c1b-9b76-9266b50a403e/conversation'],
  ['cancelRequest', 'POST', '/cancel'],
])('404 of %s', async (id, method, path) => {
  const root = await service.user(`root-${id}`, { role: 'owner' });
  const { knex } = service.management;
  const [team, other] = [names(`team-${id}`), names(`other-${id}`)];
  await root('POST /teams', { id: team.teamId });
  await addMessage(service.management, team);
  const { requestId } = team;
  const segments = await knex('archive_segments').select('number');
  await knex('archive_segments').insert({
    number: segments.length + 1,
    file: '',
    manifest: '{}',
    left_at: knex.raw('service_now()'),
    teams: [team.teamId],
    first_request_id: requestId,
    last_request_id: requestId,
  });
  await knex('messages').where({ request_id: requestId }).delete();
  await knex('requests').where({ id: requestId }).delete();
  const operation = operations.find(({ operationId }) => operationId === id) as ManagementOperation;

  const archived = await root(`${method} /requests/${requestId}${path}`);
  requireConformity(operation, archived);
  expect([archived.status, archived.headers.get('error-code')]).toEqual([404, 'management-archived']);
  expect(archived.body.desc).toContain(
    ` is not in the database: requests of its time have left for the archive (segment ${segments.length + 1})`,
  );
  const unknown = await root(`${method} /requests/${other.requestId}${path}`);
  requireConformity(operation, unknown);
  expect([unknown.status, unknown.headers.get('error-code')]).toEqual([404, 'management-not-found']);

  const viewer = await service.user(`viewer-${id}`, { role: 'owner', teamId: team.teamId });
  expect((await viewer(`${method} /requests/${requestId}${path}`)).headers.get('error-code')).toBe(
    'management-archived',
  );
});

test('409: all messages were sent', async () => {
  const root = await service.user('canceller', { role: 'owner' });
  const acme = names('acme');
  await root('POST /teams', { id: acme.teamId });
  await addMessage(service.management, acme);
  await service.management
    .knex('messages')
    .where({ request_id: acme.requestId })
    .update({ state: 'Delivered' });
  const answer = await root(`POST /requests/${acme.requestId}/cancel`);
  const operation = operations.find(({ operationId }) => operationId === 'cancelRequest');
  requireConformity(operation as ManagementOperation, answer);
  expect([answer.status, answer.body]).toEqual([
    409,
    { desc: `request ${acme.requestId} has no message left to cancel` },
  ]);
});
