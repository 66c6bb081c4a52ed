/** Ids that follow time are still what the contract calls a UUID of version 4. */
import { expect, test } from '@jest/globals';
import { newTimedId } from './timed-id.ts';

test('a later id is greater, and has the form of version 4', () => {
  const times = [0, 1, 1_700_000_000_000, 1_700_000_000_001, 2 ** 48 - 1];
  const ids = times.map((nowMs) => newTimedId(nowMs));
  expect([...ids].sort()).toEqual(ids);
  for (const id of [...ids, newTimedId()])
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ids of the same millisecond differ', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => newTimedId(1))).size).toBe(1_000);
});
