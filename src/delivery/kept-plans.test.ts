/** Statements whose plans are kept look up what they name, however little was stored when they were planned. */
import { beforeAll, expect } from '@jest/globals';
import type { Knex } from 'knex';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { rowsReadAsPlannedBefore } from '../platform/db/plan-testing.ts';
import { testEvery } from '../platform/for-every-testing.ts';
import { moveText } from '../receipts/move-repository.ts';
import { settleText } from '../receipts/posting/settle-repository.ts';
import { matchText } from './reports/match-repository.ts';
import { storeSubmittedText } from './reports/part-repository.ts';
import { queuedText } from './repository.ts';

const stored = 2_000;
const places = Array.from({ length: 20 }, (_, place) => place + 1);

const database = testDatabase();
beforeAll(async () => {
  // What is planned for an empty table differs from what is planned for a page that other tests emptied.
  await database.knex.raw('truncate jobs, requests, messages, receipts cascade');
});

const uuid = (place: number) => `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`;
const rowUuid = `('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const listOf = (values: readonly (string | number)[]) => `{${values.join(',')}}`;
const recordsOf = (row: (place: number) => object) => JSON.stringify(places.map(row));

/** Each with a request, a message and a receipt. */
const store = async (trx: Knex.Transaction) => {
  await trx.raw(`insert into requests (id, team_id, client_id, operation, resource_id)
    select ${rowUuid}, 't', 'c', 'sendSms', 'r' from generate_series(1, ${stored}) n`);
  await trx.raw(`insert into messages (id, request_id, team_id, position, product, channel, phone, content, units,
      connector, network_id, submitted_at)
    overriding system value select n, ${rowUuid}, 't', 0, 'sms', 'Safaricom', '+254711000000', '', 1,
      'smsc', 'n' || n, service_now() from generate_series(1, ${stored}) n`);
  await trx.raw(`insert into receipts (id, request_id, message_id, team_id, client_id, url, origin_key, body)
    select ${rowUuid}, ${rowUuid}, n, 't', 'c', 'http://a', ${rowUuid}, '{}' from generate_series(1, ${stored}) n`);
};

const kept: { name: string; tables: string[]; text: string; values: string[] }[] = [
  {
    name: 'load queued',
    tables: ['requests', 'messages'],
    text: queuedText,
    values: [listOf(places.map(uuid)), '3600'],
  },
  {
    name: 'store submitted',
    tables: ['messages'],
    text: storeSubmittedText,
    values: ['smsc', listOf(places), listOf(places.map((place) => `n${place}`))],
  },
  {
    name: 'match reports',
    tables: ['messages'],
    text: matchText,
    values: [recordsOf((place) => ({ place, connector: 'smsc', networkId: `n${place}` }))],
  },
  {
    name: 'move messages',
    tables: ['requests', 'messages'],
    text: moveText,
    values: [
      recordsOf((id) => ({
        id,
        product: 'sms',
        state: 'Delivered',
        states_before: ['Queued'],
        refund: false,
      })),
      '{}',
    ],
  },
  {
    name: 'settle receipts',
    tables: ['receipts'],
    text: settleText,
    values: [
      recordsOf((place) => ({
        ...{
          receiptId: uuid(place),
          teamId: 't',
          originKey: uuid(place),
          origin: 'http://a',
          state: 'Delivered',
        },
        ...{ delaySeconds: 0, counts: true, entry: {}, originWorks: true },
      })),
      uuid(0),
      '{}',
    ],
  },
];

testEvery(kept.flatMap(({ tables, ...one }) => tables.map((table) => ({ ...one, table }))))(
  '$name: $table',
  async ({ table, ...statement }) => {
    const read = await rowsReadAsPlannedBefore(database.knex, table, statement, store);
    // Some name them in several of their parts.
    expect(read).toBeGreaterThanOrEqual(places.length);
    expect(read).toBeLessThanOrEqual(4 * places.length);
  },
);
