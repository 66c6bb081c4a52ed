/** Which entry makes room; when they expire is shown by what is cached in them (cache.test.ts). */
import { expect, test } from '@jest/globals';
import { createExpiringMap } from './expiring-map.ts';

test('beyond the limit the oldest makes room; setting a key again makes it the youngest', () => {
  const map = createExpiringMap<number>(3, { elapsedMs: () => 0 });
  for (const [index, key] of ['a', 'b', 'a', 'c', 'd'].entries()) {
    map.set(key, index, 100);
    map.get('b');
  }
  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([2, undefined, 3, 4]);
});
