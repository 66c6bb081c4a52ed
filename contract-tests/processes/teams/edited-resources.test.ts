/** What `template set` and `campaign set` change for clients, and that accepted messages stay as they were. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { bundleToMany, type DataService, startData } from '../../support/requests/disbursement.ts';
import { templateToMany } from '../../support/requests/sms.ts';
import { runHere } from '../../support/service/command-line.ts';
import { withStoredData } from '../../support/service/stored-data.ts';

const phone = '+254711000000';
let data: DataService;

beforeAll(async () => {
  data = await startData();
  await data.service.stop();
  // Messages stay queued.
  await withStoredData(data.service, async (knex) => {
    await knex('connectors').update({ paused: true, paused_reason: 'maintenance' });
    // The management API rejects this.
    await knex('sms_templates').insert({
      ...{ id: 'orphaned', team_id: team(), content: 'Hi {{name}}', category: 'UTILITY' },
      ...{ approval_status: 'APPROVED', managed_service_key: 'no-such-sender', param_definitions: '[]' },
    });
  });
  await tarishi(
    'template',
    'add',
    'greet',
    '--team',
    team(),
    '--category',
    'UTILITY',
    '--content',
    'Hi {{name}}',
  );
  await data.service.restart();
}, 180_000);
afterAll(() => data?.service.dispose());

const team = () => data.demo.clientId;

/** Runs a command while the service is stopped: the embedded database serves one process. */
async function tarishi(...words: string[]): Promise<void> {
  const { databaseUrl: DATABASE_URL, dataDirectory: DATA_DIR } = data.service;
  expect(await runHere(words, { DATA_DIR, DATABASE_URL })).toMatchObject({ code: 0, err: '' });
}

const greet = (params: object[]) =>
  data.post(`/message/${data.demo.smsServiceId}`, templateToMany('greet', [phone], params));

test('200 before and after: new requests meet the new template and campaign, queued messages keep their text', async () => {
  const named = [{ name: 'name', value: 'Asha' }];
  expect((await greet(named)).status).toBe(200);
  expect((await data.disburse(bundleToMany([phone], '1GB'))).status).toBe(200);

  await data.service.stop();
  await tarishi('template', 'set', 'greet', '--content', 'Karibu {{guest}}');
  await tarishi('campaign', 'set', data.demo.campaigns.open, '--denomination', '500MB');
  await data.service.restart();

  expect((await greet(named)).status).toBe(400);
  expect((await greet([{ name: 'guest', value: 'Asha' }])).status).toBe(200);
  expect((await data.disburse(bundleToMany([phone], '1GB'))).status).toBe(400);
  expect((await data.disburse(bundleToMany([phone], '500MB'))).status).toBe(200);

  await data.service.stop();
  const queued = await withStoredData(data.service, (knex) =>
    knex('messages').where({ product: 'sms', state: 'Queued' }).orderBy('id').pluck('content'),
  );
  expect(queued).toEqual(['Hi Asha', 'Karibu Asha']);
  await tarishi('template', 'set', 'greet', '--status', 'Archived');
  await tarishi('campaign', 'set', data.demo.campaigns.open, '--status', 'Archived');
  await data.service.restart();
  expect((await greet([{ name: 'guest', value: 'Asha' }])).status).toBe(400);
  expect((await data.disburse(bundleToMany([phone], '500MB'))).status).not.toBe(200);
}, 180_000);

test('400 Managed service descriptor not found for key: <key> — it was deleted from the database', async () => {
  const params = [{ name: 'name', value: 'Asha' }];
  const { status, body } = await data.post(
    `/message/${data.demo.smsServiceId}`,
    templateToMany('orphaned', [phone], params),
  );
  expect([status, body]).toEqual([
    400,
    { desc: 'Managed service descriptor not found for key: no-such-sender' },
  ]);
});
