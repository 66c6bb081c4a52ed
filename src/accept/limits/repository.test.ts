/** The shared windows against a real database: the same arithmetic as in memory, on the database's clock. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Knex } from 'knex';
import { testDatabase } from '../../platform/db/opened-testing.ts';
import { createSharedWindows, type SharedWindows } from './repository.ts';
import { countIn, emptyWindow, takeBack } from './window.ts';

const seed = Number(process.env.SEED);
const runs = Number(process.env.WINDOW_RUNS ?? 20);

let shared: SharedWindows;

const database = testDatabase();
beforeAll(async () => {
  shared = createSharedWindows(database.knex);
});

describe('shared windows', () => {
  test('no more than the limit is counted, however many callers there are', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => shared.countIn('crowd', 10, 400)));
    const passed = answers.filter(({ waitMs }) => waitMs === 0);
    expect(passed).toHaveLength(40);
    for (const { waitMs } of answers) expect(waitMs).toBeLessThanOrEqual(950);
  });

  test('keys do not see each other, also within one statement', async () => {
    const answers = await Promise.all(['b', 'a', 'c'].map((key) => shared.countIn(key, 400, 400)));
    expect(answers.map(({ waitMs }) => waitMs)).toEqual([0, 0, 0]);
  });

  test('the calls of one key are counted in their order, in one write', async () => {
    const written = async () => {
      const { rows } = await database.knex.raw("select xmin::text from rate_windows where key = 'order'");
      return rows[0]?.xmin;
    };
    await shared.countIn('order', 100, 400);
    const before = await written();
    const sizes = [200, 200, 100, 1];
    const waits = await Promise.all(sizes.map((messages) => shared.countIn('order', messages, 400)));
    expect(waits.map(({ waitMs }) => waitMs > 0)).toEqual([false, true, false, true]);
    const after = await written();
    expect(after).not.toBe(before);
    expect((await shared.countIn('order', 1, 400)).waitMs).toBeGreaterThan(0);
    expect(await written()).toBe(after);
  });
});

describe('on a clock that the test moves', () => {
  /** In one transaction, with a service_clock() before the service's own in the search path. */
  const withClock = (work: (trx: Knex, setMs: (ms: number) => Promise<unknown>) => Promise<void>) =>
    database.knex.transaction(async (trx) => {
      await trx.raw(`
        create schema test_clock;
        create table test_clock.now (at timestamptz not null);
        insert into test_clock.now values (to_timestamp(0));
        create function test_clock.service_clock() returns timestamptz language sql volatile
          as 'select at from test_clock.now';
        set local search_path = test_clock, pg_catalog, public`);
      await work(trx, (ms) =>
        trx.raw('update test_clock.now set at = to_timestamp(?::numeric / 1000)', [ms]),
      );
      await trx.raw('drop schema test_clock cascade');
    });

  test(`each result equals that of the window in memory, also when the clock is set back (SEED=${seed})`, () =>
    withClock(async (trx, setMs) => {
      const inDatabase = createSharedWindows(trx);
      let run = 0;
      const step = fc.record({
        pauseMs: fc.oneof(
          { weight: 9, arbitrary: fc.integer({ min: 0, max: 400 }) },
          { weight: 1, arbitrary: fc.constantFrom(-3_600_000, -1_500, -500, -20) },
        ),
        messages: fc.integer({ min: 1, max: 150 }),
        regretted: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
          const key = `run-${run++}`;
          const window = emptyWindow();
          let nowMs = 1_800_000_000_000;
          for (const { pauseMs, messages, regretted } of steps) {
            nowMs += pauseMs;
            await setMs(nowMs);
            const counted = await inDatabase.countIn(key, messages, 400);
            expect(counted.waitMs).toBe(countIn(window, messages, 400, nowMs));
            if (counted.waitMs > 0 || !regretted) continue;
            await inDatabase.takeBack(key, messages, counted.bucket);
            takeBack(window, messages, Number(counted.bucket) * 10, nowMs);
          }
        }),
        { seed, numRuns: runs },
      );
    }));
});
