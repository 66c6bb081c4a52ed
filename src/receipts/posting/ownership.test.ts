/** When a process counts as gone, and who gets its receipts. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Database } from '../../db/knex.ts';
import { openTestDatabase } from '../../db/testing.ts';
import { createOwnerRepository } from './owner-repository.ts';
import { type Ownership, startOwnership } from './ownership.ts';

let database: Database;
let nowMs = 0;
beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
});
afterAll(() => database.close());
beforeEach(() => database.knex.raw('truncate receipts, receipt_posters'));

/** A process with one receipt in hand. */
async function start(owner: string, alone = false): Promise<Ownership> {
  const stopwatch = { elapsedMs: () => nowMs };
  const ownership = await startOwnership(createOwnerRepository(database.knex, owner), stopwatch, alone);
  await insert(owner);
  return ownership;
}

async function insert(owner: string): Promise<void> {
  await database.knex('receipts').insert({
    id: randomUUID(),
    request_id: randomUUID(),
    message_id: 1,
    team_id: 'team',
    client_id: 'client',
    url: '',
    origin_key: randomUUID(),
    body: '',
    owner,
  });
}
const owners = async () =>
  (await database.knex('receipts').select('owner')).map(({ owner }) => owner).sort() as (string | null)[];

const [one, two] = [randomUUID(), randomUUID()].sort() as [string, string];

/** Five seconds at a time, as the process does. */
async function beatFor(seconds: number, ...processes: Ownership[]): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    nowMs += 5_000;
    for (const process of processes) await process.beat();
  }
}

test('processes that show themselves keep their receipts', async () => {
  const [first, second] = [await start(one), await start(two)];
  await beatFor(120, first, second);
  expect(await owners()).toStrictEqual([one, two]);
});

test('half a minute after one was seen the last time, its receipts are free', async () => {
  const first = await start(one);
  await start(two);
  await beatFor(25, first);
  expect(await owners()).toStrictEqual([one, two]);
  await beatFor(10, first);
  expect(await owners()).toStrictEqual([one, null]);
});

test('one that returns is seen again', async () => {
  const [first, second] = [await start(one), await start(two)];
  await beatFor(40, first);
  await second.beat();
  await insert(two);
  await beatFor(60, first, second);
  expect(await owners()).toStrictEqual([one, two, null]);
});

test('receipts of an owner that nobody knows are free when the next process starts', async () => {
  await insert(two);
  await start(one);
  expect(await owners()).toStrictEqual([one, null]);
});

test('at its end a process releases its receipts and leaves the list', async () => {
  const [first] = [await start(one), await start(two)];
  await first.end();
  expect(await owners()).toStrictEqual([two, null]);
  expect(await database.knex('receipt_posters').select('id')).toStrictEqual([{ id: two }]);
});

describe('a process', () => {
  test('owns nothing new when others may think that it is gone', async () => {
    const first = await start(one);
    nowMs += 19_000;
    expect(first.holds()).toBe(true);
    nowMs += 2_000;
    expect(first.holds()).toBe(false);
    await first.beat();
    expect(first.holds()).toBe(true);
  });

  test("that is alone writes no heartbeat, and takes over its predecessor's receipts", async () => {
    await insert(two);
    const only = await start(one, true);
    await only.beat();
    nowMs += 3_600_000;
    expect(only.holds()).toBe(true);
    expect(await owners()).toStrictEqual([one, null]);
    expect(await database.knex('receipt_posters')).toStrictEqual([]);
  });
});
