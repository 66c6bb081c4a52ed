/** The shared windows against a real database: the same arithmetic as in memory, on the database's clock. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '../db/knex.ts';
import { openTestDatabase } from '../db/testing.ts';
import { createSharedWindows, type SharedWindows } from './repository.ts';

let database: Database;
let shared: SharedWindows;

beforeAll(async () => {
  database = await openTestDatabase(process.env.DATABASE_URL);
  shared = createSharedWindows(database.knex);
});
afterAll(() => database.close());

describe('shared windows', () => {
  test('no more than the limit is counted in, by however many callers at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => shared.countIn('crowd', 10, 400)));
    const passed = answers.filter(({ waitMs }) => waitMs === 0);
    expect(passed).toHaveLength(40);
    for (const { waitMs } of answers) expect(waitMs).toBeLessThanOrEqual(950);
  });

  test('a refused call counts nothing', async () => {
    expect((await shared.countIn('greedy', 401, 400)).waitMs).toBe(950);
    expect((await shared.countIn('greedy', 400, 400)).waitMs).toBe(0);
    expect((await shared.countIn('greedy', 1, 400)).waitMs).toBeGreaterThan(0);
  });

  test('what is taken back can be used again', async () => {
    const { bucket } = await shared.countIn('regret', 400, 400);
    await shared.takeBack('regret', 400, bucket);
    expect((await shared.countIn('regret', 400, 400)).waitMs).toBe(0);
  });

  test('keys do not see each other, also within one statement', async () => {
    const answers = await Promise.all(['b', 'a', 'c'].map((key) => shared.countIn(key, 400, 400)));
    expect(answers.map(({ waitMs }) => waitMs)).toEqual([0, 0, 0]);
  });

  test('counts leave the window after 950 ms of the database clock', async () => {
    await shared.countIn('patient', 400, 400);
    await database.knex.raw(`update rate_windows set newest = newest - 95 where key = 'patient'`);
    expect((await shared.countIn('patient', 400, 400)).waitMs).toBe(0);
  });
});
