/** What is erased of messages of phones, and when. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { eraseInboundOf } from './inbound-repository.ts';
import { openedRetention, phone } from './testing.ts';

const retention = openedRetention();
beforeEach(async () => {
  await retention.empty();
  await retention.knex('inbound_messages').delete();
});

/** With the receipt that posted it. */
async function received(daysAgo: number, { team = 'acme', state = 'Delivered' } = {}): Promise<string> {
  const { knex } = retention;
  const id = randomUUID();
  const at = knex.raw(`service_now() - ? * interval '1 day'`, [daysAgo]);
  const sent = { phone, recipient: '22141', kind: 'text', text: 'Habari', identity: `i-${id}` };
  const of = { id, team_id: team, product: 'sms', service_id: 'orders', connector: 'smsc' };
  await knex('inbound_messages').insert({ ...of, ...sent, received_at: at });
  const receipt = {
    client_id: 'orders',
    url: 'https://shop.example/in?n=254711000000',
    origin_key: randomUUID(),
  };
  await knex('receipts').insert({
    id,
    team_id: team,
    ...receipt,
    body: '{"text":"Habari"}',
    state,
    created_at: at,
  });
  return id;
}

const stored = async (id: string) => ({
  ...(await retention.knex('inbound_messages').where({ id }).first()),
  receipt: await retention.knex('receipts').where({ id }).first(),
});

test('texts after 7 days, or sooner if the team says so, with the receipts that have them', async () => {
  const ids = [await received(8), await received(6), await received(2, { team: 'brief', state: 'Waiting' })];
  await retention.erase();
  const [old, young, brief] = await Promise.all(ids.map(stored));
  expect(old).toMatchObject({
    text: null,
    identity: null,
    phone,
    receipt: { body: '', url: 'https://shop.example' },
  });
  expect(young).toMatchObject({ text: 'Habari', receipt: { body: '{"text":"Habari"}', state: 'Delivered' } });
  expect(brief).toMatchObject({ text: null, receipt: { body: '', state: 'Exhausted' } });
});

test('numbers after 90 days become hashes', async () => {
  const ids = [await received(91), await received(89)];
  await retention.erase();
  const [old, young] = await Promise.all(ids.map(stored));
  expect([old.phone, young.phone]).toEqual([retention.hashPhone(phone), phone]);
});

test('more than a batch, and nothing twice', async () => {
  const { knex } = retention;
  for (let n = 0; n < 5; n += 1) await received(100);
  await knex.raw(`insert into inbound_messages (id, team_id, product, service_id, connector, phone, recipient, kind, text, received_at)
    select gen_random_uuid(), team_id, product, service_id, connector, phone, recipient, kind, 'Habari', received_at
    from inbound_messages cross join generate_series(1, 100)`);
  await retention.erase();
  expect(await knex('inbound_messages').where('phone', 'like', '+%').orWhereNotNull('text')).toEqual([]);
});

test('all that a person sent to a team, on request', async () => {
  const ids = [await received(1), await received(1, { team: 'brief' })];
  const { knex } = retention;
  const phones = [phone, retention.hashPhone(phone)];
  expect(await knex.transaction((trx) => eraseInboundOf(trx, 'acme', phones))).toBe(1);
  const [own, others] = await Promise.all(ids.map(stored));
  expect(own).toMatchObject({ phone: '', text: null, identity: null, receipt: { body: '' } });
  expect(others).toMatchObject({ phone, text: 'Habari' });
});
