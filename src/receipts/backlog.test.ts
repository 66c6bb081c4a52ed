/** Metrics of receipts that wait too long or are exhausted. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { testDatabase } from '../platform/db/opened-testing.ts';
import { clearTables } from '../platform/db/testing.ts';
import { valuesOf } from '../platform/metrics-testing.ts';
import { countReceipts, watchReceipts } from './backlog.ts';
import { originKeyOf } from './callback/callback-url.ts';
import { receiptRow } from './rows-testing.ts';

const registry = new Registry();
const database = testDatabase();
beforeAll(async () => {
  watchReceipts(registry, database.knex);
});
beforeEach(() => clearTables(database.knex, 'receipts, receipt_origins'));

const metrics = () => valuesOf(registry);

const receipt = (state: string, dueSeconds: number, columns: object = {}) =>
  database.knex('receipts').insert(
    receiptRow('https://one.example', {
      state,
      next_attempt_at: database.knex.raw("service_now() - ? * interval '1 second'", [dueSeconds]),
      ...columns,
    }),
  );

test('without work all are zero', async () => {
  expect(new Set(Object.values(await metrics()))).toEqual(new Set([0]));
});

describe('receipts', () => {
  test('those that wait, those that are exhausted, and how long the first one is due', async () => {
    await receipt('Waiting', 200);
    await receipt('Waiting', -60);
    await receipt('Exhausted', 5_000);
    await receipt('Delivered', 9_000);
    const found = await metrics();
    expect(found).toMatchObject({ receipts_waiting: 2, receipts_exhausted: 1 });
    expect(Math.floor((found.oldest_receipt_due_seconds ?? 0) / 100)).toBe(2);
  });

  test('are counted for a team, and for all', async () => {
    await receipt('Waiting', 200, { team_id: 'other' });
    await receipt('Exhausted', 5_000);
    await receipt('Exhausted', 5_000);
    expect(await countReceipts(database.knex, undefined)).toEqual({ waiting: 1, exhausted: 2 });
    expect(await countReceipts(database.knex, 'team')).toEqual({ waiting: 0, exhausted: 2 });
    await database.knex('receipts').update({ created_at: '2026-11-01T00:00:00Z' });
    expect(await countReceipts(database.knex, 'team')).toEqual({ waiting: 0, exhausted: 0 });
  });

  test('for a parked origin wait, and its parking is shown', async () => {
    await receipt('Waiting', 200);
    await database.knex('receipt_origins').insert({
      team_id: 'team',
      origin_key: originKeyOf('https://one.example'),
      origin: 'https://one.example',
      failures_in_a_row: 20,
      parked_until: database.knex.raw("service_now() + interval '1 minute'"),
    });
    expect(await metrics()).toMatchObject({
      receipt_origins_parked: 1,
      receipts_waiting: 1,
      oldest_receipt_due_seconds: 0,
    });
  });
});
