/** Old rows of a service that runs leave for its archive, and it goes on as before. */
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { openArchive } from '../../../src/archive/open-archive.ts';
import { readSegments } from '../../../src/archive/segment-repository.ts';
import { verifyArchive } from '../../../src/archive/verify.ts';
import { callerAt } from '../../support/management/caller.ts';
import { phones, type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { withStoredData } from '../../support/service/stored-data.ts';

let sms: SmsService;
beforeAll(async () => {
  sms = await startSms();
  sms.service.environment.ARCHIVE_URL = archiveUrl();
}, 180_000);
afterAll(() => sms?.service.dispose());

const archiveUrl = () => pathToFileURL(`${sms.service.dataDirectory}/archive`).href;

const accepted = async (): Promise<string> => (await sms.send(toMany(phones(3)))).body.result.requestId;
const request = async (id: string) => {
  const { url, key } = sms.service.management;
  return callerAt(url, key)(`GET /requests/${id}`);
};
const isArchived = async (id: string) =>
  (await request(id)).headers.get('error-code') === 'management-archived';
const delivered = async (id: string) => {
  while ((await request(id)).body.states?.Delivered !== 3) await delay(20);
};

/** As after 500 days: retention erased what it erases, and everything was counted. */
async function passTime(knex: Knex): Promise<void> {
  const earlier = (column: string) => ({ [column]: knex.raw(`${column} - interval '500 days'`) });
  await knex('requests').update({ ...earlier('created_at'), correlator: null });
  await knex('messages').update({ ...earlier('final_at'), phone: '#hash', content: '' });
  await knex('receipts').update({ body: '', state: 'Delivered' });
  await knex('counted_messages').delete();
  await knex('count_progress').update({ message_id: 1_000_000 });
  await knex.raw('alter table ledger_entries disable trigger user');
  await knex('ledger_entries').update(earlier('created_at'));
  await knex.raw('alter table ledger_entries enable trigger user');
  await knex('archive').update({ next_round_at: knex.raw('service_now()') });
}

test('a request of long ago is in the archive, and one of now is not', async () => {
  const old = await accepted();
  await delivered(old);
  await sms.service.stop();
  await withStoredData(sms.service, passTime);
  await sms.service.restart();
  const young = await accepted();
  while (!(await isArchived(old))) await delay(50);
  await delivered(young);
  await sms.service.stop();

  const found = await withStoredData(sms.service, async (knex) => ({
    left: await knex('messages').where({ request_id: old }),
    archive: await verifyArchive(openArchive(archiveUrl()), readSegments(knex)),
  }));
  expect(found.left).toEqual([]);
  expect(found.archive).toMatchObject({ faults: [], rows: { requests: 1, messages: 3 } });
}, 120_000);
