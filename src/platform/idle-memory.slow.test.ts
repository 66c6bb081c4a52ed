/** Memory goes back once after each load, when nothing is to be done, and never in between. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { giveMemoryBackWhenIdle, ofThisThread } from './idle-memory.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const collectionsAfter = (shares: readonly number[]): number[] => {
  const collections: number[] = [];
  let at = -1;
  giveMemoryBackWhenIdle({
    utilization: () => {
      at += 1;
      return shares[at] ?? 0;
    },
    collect: () => collections.push(at),
  });
  jest.advanceTimersByTime(5_000 * shares.length);
  return collections;
};

test('once after a load', () => {
  expect(collectionsAfter([0, 0.9, 0.9, 0.01, 0.01, 0.01])).toEqual([3]);
  expect(collectionsAfter([0.3, 0.01, 0.3, 0.01])).toEqual([1, 3]);
});

test('not while there is something to do, nor without a load before', () => {
  expect(collectionsAfter([0.9, 0.1, 0.2, 0.9])).toEqual([]);
  expect(collectionsAfter([0.1, 0.01, 0.2, 0])).toEqual([]);
});

test('of this process: its heap becomes smaller', () => {
  let garbage: object[] | undefined = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
  expect(garbage).toHaveLength(1_000_000);
  const before = process.memoryUsage().heapTotal;
  garbage = undefined;
  const shares = [0.9, 0];
  giveMemoryBackWhenIdle({ ...ofThisThread(), utilization: () => shares.shift() ?? 0 });
  jest.advanceTimersByTime(10_000);
  expect(process.memoryUsage().heapTotal).toBeLessThan(before - 10_000_000);
});
