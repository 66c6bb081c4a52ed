/** Tests when entries expire and which one makes room. */
import { expect, test } from '@jest/globals';
import { createExpiringMap } from './expiring-map.ts';

function mapAt(startMs: number, limitEntries = 3) {
  const clock = { nowMs: startMs, elapsedMs: () => clock.nowMs };
  return { clock, map: createExpiringMap<number>(limitEntries, clock) };
}

test('an entry lives for its lifetime and not a millisecond longer', () => {
  const { clock, map } = mapAt(1000);
  map.set('a', 1, 1000);
  expect(map.get('a')).toBe(1);
  clock.nowMs = 1999;
  expect(map.get('a')).toBe(1);
  clock.nowMs = 2000;
  expect(map.get('a')).toBeUndefined();
});

test('beyond the limit the oldest makes room, however often it was read', () => {
  const { map } = mapAt(0);
  for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) {
    map.set(key, index, 100);
    map.get('a');
  }
  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([undefined, 1, 2, 3]);
});

test('setting a key again makes it the youngest', () => {
  const { map } = mapAt(0);
  for (const [index, key] of ['a', 'b', 'a', 'c', 'd'].entries()) map.set(key, index, 100);
  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([2, undefined, 3, 4]);
});

test('drop forgets the value it names and no later one', () => {
  const { map } = mapAt(0);
  map.set('a', 1, 100);
  map.drop('a', 2);
  expect(map.get('a')).toBe(1);
  map.drop('a', 1);
  expect(map.get('a')).toBeUndefined();
});
