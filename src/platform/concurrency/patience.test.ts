/** A request waits for the database for one limit, not for one after the other. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { isDatabaseAway } from '../errors/database-away.ts';
import { cached } from './cache.ts';
import { createBatcher } from './group-commit.ts';
import { beginWait, noteAnswer, onOver, withPatience } from './patience.ts';

const limitMs = 5_000;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const forever = () => new Promise<never>(() => {});

let startedMs: number;
const elapsedMs = () => performance.now() - startedMs;
beforeEach(() => {
  jest.useFakeTimers();
  startedMs = performance.now();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Each outcome, and after how long. */
const outcomesOf = async (...works: Promise<unknown>[]) => {
  const seen = works.map((work) =>
    work.then(
      (value) => [value, elapsedMs()],
      (error) => [isDatabaseAway(error) ? 'away' : String(error), elapsedMs()],
    ),
  );
  await jest.advanceTimersByTimeAsync(60_000);
  return Promise.all(seen);
};
const patiently = <Result>(work: () => Promise<Result>) => withPatience(limitMs, work);
const waitOf = async (ms: number) => {
  const end = beginWait();
  await sleep(ms);
  end();
};

describe('a request', () => {
  test('that has a connection after 4 s and then no response is over after 5 s', async () => {
    const request = patiently(async () => {
      beginWait();
      await sleep(4_000);
      await forever();
    });
    expect(await outcomesOf(request)).toEqual([['away', limitMs]]);
  });

  test('that does something else after its database failed has no patience left for it again', async () => {
    const request = patiently(async () => {
      const end = beginWait();
      await sleep(4_500);
      noteAnswer(true);
      end();
      await waitOf(4_500);
    });
    expect(await outcomesOf(request)).toEqual([['away', limitMs]]);
  });

  test('that gets answers goes on, and so does one that waits for something else', async () => {
    const statements = patiently(async () => {
      const end = beginWait();
      for (let count = 0; count < 3; count += 1) {
        await sleep(4_000);
        noteAnswer(false);
      }
      end();
      return 'done';
    });
    const elsewhere = patiently(async () => {
      await waitOf(3_000);
      await sleep(10_000);
      await waitOf(3_000);
      return 'done';
    });
    expect(await outcomesOf(statements, elsewhere)).toEqual([
      ['done', 12_000],
      ['done', 16_000],
    ]);
  });

  test('that is over uses the database no more, but what it set off does', async () => {
    const acted: string[] = [];
    const request = patiently(async () => {
      onOver(() => acted.push('over'));
      await waitOf(6_000);
      acted.push('went on');
      void sleep(1_000).then(() => {
        beginWait();
        acted.push('what it set off uses it');
      });
      beginWait();
      acted.push('used it again');
    });
    expect(await outcomesOf(request)).toEqual([['away', limitMs]]);
    expect(acted).toEqual(['over', 'went on', 'what it set off uses it']);
  });
});

test('a look-up that requests share is waited for with the patience of each, and ended by none', async () => {
  const clock = { elapsedMs: () => performance.now() };
  const load = cached(
    async () => {
      await waitOf(8_000);
      beginWait();
      return 'found';
    },
    { lifetimeMs: 60_000, limitEntries: 1, clock },
  );
  const first = patiently(load);
  const second = sleep(4_000).then(() => patiently(load));
  const third = sleep(1_000).then(() => patiently(load));
  expect(await outcomesOf(first, second, third)).toEqual([
    ['away', 5_000],
    ['found', 8_000],
    ['away', 6_000],
  ]);
});

test('a look-up that falls back on what it has when the database is away is no answer', async () => {
  const clock = { elapsedMs: () => performance.now() };
  const load = cached(
    async () => {
      const end = beginWait();
      await sleep(4_000);
      noteAnswer(true);
      end();
      return 'known';
    },
    { lifetimeMs: 60_000, limitEntries: 1, clock },
  );
  const request = patiently(async () => {
    await load();
    await waitOf(4_000);
  });
  expect(await outcomesOf(request)).toEqual([['away', limitMs]]);
});

test('what still waits for its transaction when its request is over is in none', async () => {
  const batches: string[][] = [];
  const { submit } = createBatcher<string, string>(
    async (items) => {
      batches.push([...items]);
      await waitOf(8_000);
      return [...items];
    },
    () => 1,
    { concurrency: 1, maxItems: 4, maxWeight: 10 },
  );
  const requests = ['in a transaction', 'waits'].map((item, index) =>
    sleep(index * 1_000).then(() => patiently(() => submit(item))),
  );
  const last = sleep(7_000).then(() => patiently(() => submit('later')));
  expect(await outcomesOf(...requests, last)).toEqual([
    ['away', 5_000],
    ['away', 6_000],
    ['away', 12_000],
  ]);
  expect(batches).toEqual([['in a transaction'], ['later']]);
});
