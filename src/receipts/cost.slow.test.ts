/** What each statement on receipts reads: the receipts that it works on, however many wait and however many are kept. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import type { Database } from '../platform/db/knex.ts';
import { type Explained, mostRowsRead, rowsRead } from '../platform/db/plan-testing.ts';
import { openTestDatabase } from '../platform/db/testing.ts';
import { backlogText } from './backlog.ts';
import { claimText } from './posting/claim.ts';
import { anyDueText, createReceiptRepository } from './posting/repository.ts';
import { settleText } from './posting/settle-repository.ts';
import { repostReceipt } from './resend-repository.ts';

/** Of each kind: waiting, delivered and given up. */
const stored = Number(process.env.RECEIPTS_STORED ?? 20_000);
const origin = '00000000-0000-4000-8000-000000000001';
const claimedBy = randomUUID();

let database: Database;

const columns = 'id, request_id, message_id, client_id, team_id, url, origin_key, body, sequence, state';
const values = `gen_random_uuid(), '${origin}', n, 'demo', 'demo', 'http://127.0.0.1:1/', '${origin}', '{}'`;

/** Two of each message: the second waits for the first. */
const insertWaiting = () =>
  database.knex.raw(
    `insert into receipts (${columns}) select ${values}, place, 'Waiting'
     from generate_series(1, ?) as n, generate_series(1, 2) as place`,
    [stored / 2],
  );
const insertDone = () =>
  database.knex.raw(
    `insert into receipts (${columns}, created_at)
     select ${values}, 1, state, now() - interval '1 day'
     from generate_series(1000001, 1000000 + ?) as n, unnest(array['Delivered', 'Exhausted']) as state`,
    [stored],
  );
const analyze = () => database.knex.raw('analyze');

async function readBy(text: string, bindings: Record<string, string | number> = {}): Promise<number> {
  const { rows } = await database.knex.raw<{ rows: Explained[] }>(
    `explain (analyze, format json) ${text}`,
    bindings,
  );
  return rowsRead(rows, 'receipts');
}

const nothingKnown = {
  places: 1024,
  untestedPlaces: 512,
  placesOfUntested: 2,
  teams: '[]',
  origins: '[]',
  cursors: '[]',
  afterTeam: '',
};

async function settledOnes(): Promise<string> {
  const { rows } = await database.knex.raw(
    `update receipts set claimed_by = :claimedBy where id in (
       select id from receipts where state = 'Waiting' and claimed_by is null and sequence = 1 limit 2
     ) returning id`,
    { claimedBy },
  );
  const entry = { at: '2030-01-01T00:00:00.000Z', latencyMs: 1, status: 204 };
  const rest = { teamId: 'demo', originKey: origin, origin: 'http://a', delaySeconds: 0, counts: true };
  return JSON.stringify(
    rows.map(({ id }: { id: string }) => ({
      receiptId: id,
      ...rest,
      state: 'Delivered',
      entry,
      originWorks: true,
    })),
  );
}

describe.each([
  { statistics: 'none', steps: [insertWaiting, insertDone] },
  { statistics: 'from when nothing waited', steps: [insertDone, analyze, insertWaiting] },
  { statistics: 'of now', steps: [insertWaiting, insertDone, analyze] },
])('statistics: $statistics', ({ steps }) => {
  beforeAll(async () => {
    database = await openTestDatabase(process.env.DATABASE_URL);
    for (const step of steps) await step();
  }, 600_000);
  afterAll(() => database.close());

  test('a check for due receipts', async () => {
    expect(await readBy(anyDueText)).toBeLessThanOrEqual(1);
  });

  test('a claim of two receipts', async () => {
    expect(await readBy(claimText, { ...nothingKnown, claimedBy })).toBeLessThan(100);
  });

  test('the outcomes of two attempts', async () => {
    const [attempts, mine] = [await settledOnes(), claimedBy];
    const text = settleText.replaceAll('$1', ':attempts').replaceAll('$2', ':mine').replaceAll('$3', ':lots');
    expect(await readBy(text, { attempts, mine, lots: '{}' })).toBeLessThan(20);
  });

  test('one that is set aside, and one that is posted again', async () => {
    const [{ id }] = await database.knex('receipts').where({ state: 'Exhausted' }).limit(1).select('id');
    const setAside = (trx: Knex.Transaction) =>
      createReceiptRepository(trx, claimedBy).setAside({ id }, new Error('a fault'));
    expect(await mostRowsRead(database.knex, 'receipts', setAside)).toBeLessThan(10);
    expect(await mostRowsRead(database.knex, 'receipts', (trx) => repostReceipt(trx, id))).toBeLessThan(10);
  });

  test('the gauges: no more than they count', async () => {
    expect(await readBy(backlogText)).toBeLessThan(40_000);
  });
});
