/** Folding: fewer transactions than submissions, and nobody pays for a neighbour's fault. */
import { expect, test } from '@jest/globals';
import { createBatcher } from './group-commit.ts';

const limits = { concurrency: 1, maxItems: 4, maxWeight: 10 };
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A batcher of items that weigh one, and the batches that it made. */
function recorded(own: Partial<Parameters<typeof createBatcher>[2]>, work: () => unknown = () => {}) {
  const batches: number[][] = [];
  const batcher = createBatcher<number, number>(
    async (items) => {
      batches.push([...items]);
      await work();
      return items.map((item) => item * 2);
    },
    () => 1,
    { ...limits, ...own },
  );
  return { ...batcher, batches };
}

test('what waits while a transaction runs goes into the next, in order, up to the limits', async () => {
  const { submit, batches } = recorded({}, () => sleep(5));
  const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(submit));
  expect(answers).toEqual([2, 4, 6, 8, 10, 12]);
  expect(batches).toEqual([
    [1, 2, 3, 4],
    [5, 6],
  ]);
});

test('a batch stays below the weight limit; a single heavier item goes alone', async () => {
  const batches: number[][] = [];
  const { submit } = createBatcher<number, void>(
    async (items) => {
      batches.push([...items]);
      return items.map(() => undefined);
    },
    (item) => item,
    limits,
  );
  await Promise.all([6, 4, 1, 50, 2].map(submit));
  expect(batches).toEqual([[6, 4], [1], [50], [2]]);
});

test('a second transaction starts once as many wait as the first one carries', async () => {
  const ends: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => ends.push(resolve));
  const { submit, batches } = recorded({ concurrency: 2 }, work);
  const first = [1, 2, 3].map(submit);
  await new Promise(setImmediate);
  const second = [4, 5].map(submit);
  await new Promise(setImmediate);
  expect(batches).toEqual([[1, 2, 3]]);
  second.push(submit(6));
  await new Promise(setImmediate);
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  const last = submit(7);
  ends[0]?.();
  await Promise.all(first);
  // One of three: it waits for the other transaction, and no longer.
  expect(batches).toHaveLength(2);
  ends[1]?.();
  await Promise.all(second);
  await new Promise(setImmediate);
  expect(batches[2]).toEqual([7]);
  ends[2]?.();
  await last;
});

test.each([
  { carried: 16, come: 15, next: 16 },
  { carried: 16, come: 3, next: 4 },
  { carried: 15, come: 3, next: 1 },
])('those who wait after a large transaction wait for as many as it carried, for a moment: %o', async ({
  carried,
  come,
  next,
}) => {
  const { submit, batches } = recorded({ concurrency: 2, maxItems: carried, maxWeight: 100, gatherMs: 50 });
  const all = Array.from({ length: carried + 1 }, (_, item) => submit(item));
  await all[0];
  await new Promise(setImmediate);
  for (let item = 0; item < come; item += 1) all.push(submit(item));
  await Promise.all(all);
  expect(batches.slice(0, 2).map(({ length }) => length)).toEqual([carried, next]);
});

test('waiting for others does not count as being busy', async () => {
  const busyAtStart: boolean[] = [];
  const { submit, busy } = recorded({ concurrency: 2, maxItems: 16, maxWeight: 100, gatherMs: 200 }, () =>
    busyAtStart.push(busy()),
  );
  await Promise.all(Array.from({ length: 17 }, (_, item) => submit(item)));
  expect(busyAtStart).toEqual([false, false]);
});

test('an item whose values the database rejects does not fail the others', async () => {
  const { submit } = createBatcher<string, string>(
    async (items) => {
      if (items.includes('bad')) throw Object.assign(new Error('bad value'), { code: '22P02' });
      return [...items];
    },
    () => 1,
    limits,
  );
  const results = await Promise.allSettled(['a', 'bad', 'c'].map(submit));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a lost database fails the whole batch, once, and the next one is tried', async () => {
  let calls = 0;
  const { submit, busy } = createBatcher<string, string>(
    async (items) => {
      calls += 1;
      if (calls === 1) throw new Error('connection lost');
      return [...items];
    },
    () => 1,
    limits,
  );
  const results = await Promise.allSettled(['a', 'b'].map(submit));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(submit('c')).resolves.toBe('c');
  expect([calls, busy()]).toEqual([2, false]);
});

test('tells how long the first item outside of any transaction has waited', async () => {
  let commit = () => {};
  const work = () =>
    new Promise<void>((resolve) => {
      commit = resolve;
    });
  const { submit, waitingMs } = recorded({ maxItems: 1 }, work);
  expect(waitingMs()).toBe(0);
  const first = submit(1);
  await new Promise(setImmediate);
  expect(waitingMs()).toBe(0);
  const second = submit(2);
  await sleep(5);
  expect(waitingMs()).toBeGreaterThan(0);
  commit();
  await first;
  await new Promise(setImmediate);
  expect(waitingMs()).toBe(0);
  commit();
  await second;
});
