/** How receipts are claimed and settled, and when failing origins are parked. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { clearTables } from '../../platform/db/testing.ts';
import { ItemFault } from '../../platform/isolation/fault.ts';
import { originKeyOf } from '../callback/callback-url.ts';
import { insertDue } from '../rows-testing.ts';
import type { Attempt } from './attempt.ts';
import type { Room } from './places.ts';
import { createReceiptRepository, type ReceiptRepository } from './repository.ts';

let repository: ReceiptRepository;
const database = testDatabase();
beforeAll(async () => {
  repository = createReceiptRepository(database.knex, randomUUID());
});
beforeEach(() => clearTables(database.knex, 'receipts, receipt_origins'));

const bad = 'https://bad.example';
const good = 'https://good.example';

/** Returns their ids, the longest due first. */
const insert = (count: number, origin = good, dueSeconds = 10) =>
  insertDue(database.knex, [origin], { count, dueSeconds });

/** Room for all that the tests insert; each origin has plenty of places, as if it had always responded. */
const plenty: Room = {
  places: 1_000,
  untestedPlaces: 1_000,
  teams: [],
  origins: [bad, good].map((origin) => ({
    teamId: 'team',
    originKey: originKeyOf(origin),
    taken: 0,
    places: 100,
    startable: 100,
  })),
};
const claim = (room: Partial<Room> = {}) => repository.claim({ ...plenty, ...room });
const claimedIds = async (room: Partial<Room> = {}) => (await claim(room)).map(({ id }) => id).sort();
const settle = (attempt: Partial<Attempt>) => repository.settle([attemptOf(attempt)]);
const entry = (status: number) => ({ at: '2030-01-01T00:00:00.000Z', latencyMs: 7, status });
const attemptOf = (attempt: Partial<Attempt>): Attempt => ({
  receiptId: randomUUID(),
  teamId: 'team',
  originKey: originKeyOf(attempt.origin ?? bad),
  origin: bad,
  state: 'Waiting',
  delaySeconds: 0,
  counts: true,
  originWorks: false,
  entry: entry(500),
  ...attempt,
});
const fail = (times: number, origin = bad) =>
  repository.settle(Array.from({ length: times }, () => attemptOf({ origin })));
const failing = (times: number) => () => fail(times);
const works = () => settle({ originWorks: true });
const unsigned = () => settle({ originWorks: null });
/** What that claim wrote, as the earlier one sees it. */
const probedByAnother = async () =>
  database.knex.raw("update receipt_origins set parked_until = service_now() + interval '61 s'");
const timeIsOver = async () => database.knex('receipt_origins').update({ parked_until: new Date(0) });
const pass = (seconds: number) =>
  database.knex.raw(`update receipts set next_attempt_at = next_attempt_at - ? * interval '1 s'`, [seconds]);
const rowOf = (id: string) => database.knex('receipts').where({ id }).first();
const originOf = (origin: string) => database.knex('receipt_origins').where({ origin }).first();

describe('a claim', () => {
  test('carries what the callback needs', async () => {
    const [id] = await insert(1);
    const sender = { teamId: 'team', clientId: 'client of team' };
    const endpoint = { url: `${good}/`, originKey: originKeyOf(good) };
    expect(await claim()).toStrictEqual([
      { ...sender, ...endpoint, id, body: '{}', trace: null, attemptsMade: 0 },
    ]);
  });

  test('takes due receipts and nothing else', async () => {
    const due = await insert(1);
    await insert(1, good, -60);
    const [delivered] = await insert(1);
    await database.knex('receipts').where({ id: delivered }).update({ state: 'Delivered' });
    expect(await claimedIds()).toStrictEqual(due);
  });

  test('takes the receipts that have been due the longest', async () => {
    const ids = await insert(5);
    // A team may have half of what is free.
    expect(await claimedIds({ places: 4 })).toStrictEqual(ids.slice(0, 2).sort());
  });

  test('looks for due receipts first, at little cost', async () => {
    expect(await repository.anyDue()).toBe(false);
    await insert(1, good, -60);
    expect(await repository.anyDue()).toBe(false);
    await insert(1);
    expect(await repository.anyDue()).toBe(true);
    await claim();
    expect(await repository.anyDue()).toBe(false);
  });

  test('no two concurrent claims share a receipt', async () => {
    const ids = await insert(50);
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimedIds({ places: 40 })));
    const rest = await claimedIds();
    expect([...claims.flat(), ...rest].sort()).toStrictEqual([...ids].sort());
  });
});

describe('settling', () => {
  test.each(['Delivered', 'Exhausted'] as const)('%s ends the attempts', async (state) => {
    const [id = ''] = await insert(1);
    await claim();
    await settle({ receiptId: id, origin: good, state, entry: entry(200), originWorks: true });
    expect(await rowOf(id)).toMatchObject({
      state,
      attempts: 1,
      claimed_by: null,
      attempt_log: [entry(200)],
    });
    await settle({ receiptId: id, origin: good, state: 'Waiting' });
    expect(await rowOf(id)).toMatchObject({ state, attempts: 1, attempt_log: [entry(200)] });
    expect(await claim()).toStrictEqual([]);
  });

  test('a failed attempt is made again after its delay', async () => {
    const [id = ''] = await insert(1);
    await claim();
    const timeout = { at: '2030-01-01T00:00:00.000Z', latencyMs: 10_000, error: 'timeout' };
    await settle({ receiptId: id, origin: good, delaySeconds: 100, entry: timeout });
    const row = await rowOf(id);
    expect(row).toMatchObject({ state: 'Waiting', attempts: 1, claimed_by: null, attempt_log: [timeout] });
    expect(new Date(row.attempt_log[0].nextAttemptAt)).toEqual(row.next_attempt_at);
    expect(await claim()).toStrictEqual([]);
    await pass(100);
    expect(await claim()).toMatchObject([{ id, attemptsMade: 1 }]);
  });

  test('an attempt that does not count uses none up', async () => {
    const [id = ''] = await insert(1);
    await claim();
    await settle({ receiptId: id, counts: false, delaySeconds: 60, originWorks: null });
    expect(await rowOf(id)).toMatchObject({ state: 'Waiting', attempts: 0 });
    expect(await claim()).toStrictEqual([]);
  });
});

describe('an origin', () => {
  test('that works leaves no trace', async () => {
    await settle({ origin: good, originWorks: true });
    expect(await originOf(good)).toBeUndefined();
  });

  test.each<[string, (() => Promise<unknown>)[], number]>([
    ['19 failures in a row: all', [failing(19)], 5],
    ['20 at once: none', [failing(20)], 0],
    ['20 in unequal parts: none', [failing(7), failing(13)], 0],
    ['a success in between: all', [failing(19), works, failing(19)], 5],
    ['one that could not be signed counts for nothing: all', [failing(19), unsigned], 5],
    ['the end of its parking: one, as a probe', [failing(20), timeIsOver], 1],
    ['a probe that another claim has begun just before: none', [failing(20), probedByAnother], 0],
  ])('of its five receipts these are claimed after %s', async (_what, happens, claimed) => {
    const ids = await insert(5, bad);
    for (const one of happens) await one();
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimedIds()));
    expect(claims.flat().sort()).toStrictEqual(ids.slice(0, claimed).sort());
    expect(await database.knex('receipts').where({ state: 'Waiting' })).toHaveLength(5);
  });

  test('is parked for a minute', async () => {
    await fail(20);
    const { rows } = await database.knex.raw(
      'select extract(epoch from parked_until - service_now())::float8 as seconds from receipt_origins',
    );
    expect(rows[0].seconds).toBeGreaterThan(30);
    expect(rows[0].seconds).toBeLessThanOrEqual(60);
  });

  test('whose probe fails is parked again', async () => {
    await insert(5, bad);
    await fail(20);
    await timeIsOver();
    const [probe] = await claim();
    await settle({ receiptId: probe?.id ?? '', delaySeconds: 5 });
    expect(await claim()).toStrictEqual([]);
    expect(await originOf(bad)).toMatchObject({ failures_in_a_row: 21 });
  });

  test.each([
    ['signed', (id: string) => settle({ receiptId: id, delaySeconds: 60, counts: false, originWorks: null })],
    ['posted', (id: string) => repository.setAside({ id }, new ItemFault('it cannot be posted'))],
  ])('whose probe cannot be %s is probed with the next receipt at once, and stays parked', async (_what, end) => {
    const [oldest, next] = await insert(5, bad);
    await fail(20);
    await timeIsOver();
    expect(await claimedIds()).toStrictEqual([oldest]);
    await end(oldest ?? '');
    expect(await claimedIds()).toStrictEqual([next]);
    expect(await claim()).toStrictEqual([]);
    expect(await originOf(bad)).toMatchObject({ failures_in_a_row: 20 });
  });

  test('whose probe succeeds gets all waiting receipts', async () => {
    const ids = await insert(5, bad);
    await fail(25);
    await timeIsOver();
    const [probe] = await claim();
    await settle({ receiptId: probe?.id ?? '', state: 'Delivered', originWorks: true });
    expect(await originOf(bad)).toMatchObject({ failures_in_a_row: 0, parked_until: null });
    expect(await claimedIds()).toStrictEqual(ids.filter((id) => id !== probe?.id).sort());
  });

  test('that is parked delays no other', async () => {
    await insert(5_000, bad, 20);
    const ids = await insert(1);
    await fail(20);
    expect(await claimedIds()).toStrictEqual(ids);
    await settle({ receiptId: ids[0] ?? '', origin: good, state: 'Delivered', originWorks: true });
    expect(await rowOf(ids[0] ?? '')).toMatchObject({ state: 'Delivered' });
  });
});
