/** What edits of templates and campaigns change for clients, and that accepted messages stay as they were. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { edit } from '../../support/management/caller.ts';
import { bundleToMany, type DataService, startData } from '../../support/requests/disbursement.ts';
import { templateToMany } from '../../support/requests/sms.ts';
import type { Answer } from '../../support/service/api.ts';
import { withStoredData } from '../../support/service/stored-data.ts';

const phone = '+254711000000';
let data: DataService;

beforeAll(async () => {
  data = await startData({}, async ({ knex, demo }) => {
    // Messages stay queued.
    await knex('connectors').update({ paused: true, paused_reason: 'maintenance' });
    // The management API rejects this.
    await knex('sms_templates').insert({
      ...{ id: 'orphaned', team_id: demo.clientId, content: 'Hi {{name}}', category: 'UTILITY' },
      ...{ approval_status: 'APPROVED', managed_service_key: 'no-such-sender', param_definitions: '[]' },
    });
  });
  const greet = { id: 'greet', teamId: data.demo.clientId, category: 'UTILITY', content: 'Hi {{name}}' };
  await data.service.operate('POST /sms-templates', greet);
}, 180_000);
afterAll(() => data?.service.dispose());

const greetPath = () => `/message/${data.demo.smsServiceId}`;
const greeting = (params: object[]) => templateToMany('greet', [phone], params);
const greet = (params: object[]) => data.post(greetPath(), greeting(params));
const disburse = (denomination: string) => data.disburse(bundleToMany([phone], denomination));

test('400 Managed service descriptor not found for key: <key> — it was deleted from the database', async () => {
  const params = [{ name: 'name', value: 'Asha' }];
  const { status, body } = await data.post(greetPath(), templateToMany('orphaned', [phone], params));
  expect([status, body]).toEqual([
    400,
    { desc: 'Managed service descriptor not found for key: no-such-sender' },
  ]);
});

/** An edit counts within two seconds. Previews look without sending anything. */
async function untilPreviewed(path: string, body: object, holds: (preview: Answer) => boolean) {
  while (!holds(await data.post(`${path}/preview`, body))) await delay(20);
}

test('200 before and after: new requests meet the new template and campaign, queued messages keep their text', async () => {
  const { operate } = data.service;
  const campaign = `/campaigns/${data.demo.campaigns.open}`;
  const campaignPath = `/data/${data.demo.campaigns.open}`;
  const [named, guest] = ['name', 'guest'].map((name) => [{ name, value: 'Asha' }]) as [object[], object[]];
  expect((await greet(named)).status).toBe(200);
  expect((await disburse('1GB')).status).toBe(200);

  await edit(operate, '/sms-templates/greet', { content: 'Karibu {{guest}}' });
  await edit(operate, campaign, { allowedDenominations: ['500MB'] });
  await untilPreviewed(greetPath(), greeting(guest), ({ body }) => body.sendable);
  await untilPreviewed(campaignPath, bundleToMany([phone], '1GB'), ({ body }) => !body.sendable);

  expect((await greet(named)).status).toBe(400);
  expect((await greet(guest)).status).toBe(200);
  expect((await disburse('1GB')).status).toBe(400);
  expect((await disburse('500MB')).status).toBe(200);

  await edit(operate, '/sms-templates/greet', { status: 'Archived' });
  await edit(operate, campaign, { status: 'Archived' });
  await untilPreviewed(greetPath(), greeting(guest), ({ body }) => !body.sendable);
  await untilPreviewed(campaignPath, bundleToMany([phone], '500MB'), ({ body }) => !body.sendable);
  expect((await greet(guest)).status).toBe(400);
  expect((await disburse('500MB')).status).toBe(400);

  await data.service.stop();
  const queued = await withStoredData(data.service, (knex) =>
    knex('messages').where({ product: 'sms', state: 'Queued' }).orderBy('id').pluck('content'),
  );
  expect(queued).toEqual(['Hi Asha', 'Karibu Asha']);
}, 180_000);
