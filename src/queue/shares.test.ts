/** The share of each priority in a lane that cannot take everything. */
import { expect, test } from '@jest/globals';
import type { Priority } from '../model/plan.ts';
import { testEvery } from '../platform/for-every-testing.ts';
import { createShares, type Shares, weights } from './shares.ts';

const sharesOfPriorities = () => createShares<Priority>((priority) => weights[priority], 3);

/** Claims messages one by one for those that have some; says how many each got. */
function claim<Key extends number | string>(shares: Shares<Key>, waiting: readonly Key[], messages: number) {
  const got: Record<string, number> = {};
  for (let count = 0; count < messages; count += 1) {
    const [next] = [...waiting].sort((one, other) => shares.ahead(one) - shares.ahead(other));
    if (next === undefined) break;
    shares.spend(next, 1);
    got[String(next)] = (got[String(next)] ?? 0) + 1;
  }
  return got;
}

testEvery<[string, Priority[], Record<number, number>]>([
  ['all that wait, by weight', [0, 1, 2], { 0: 1_600, 1: 400, 2: 100 }],
  ['two of them, as if the third did not exist', [1, 2], { 1: 1_680, 2: 420 }],
  ['one alone, everything', [2], { 2: 2_100 }],
])('%s', (_rule, waiting, shares) => {
  expect(claim(sharesOfPriorities(), waiting, 2_100)).toEqual(shares);
});

test('an idle priority saves nothing up', () => {
  const shares = sharesOfPriorities();
  claim(shares, [2], 1_000);
  const got = claim(shares, [0, 1, 2], 210);
  expect(got[2]).toBeGreaterThanOrEqual(9);
});

test('a sender of many messages waits until the others had as many', () => {
  const shares = createShares<string>(() => 1, 10);
  shares.spend('large', 100);
  expect(shares.ahead('large')).toBe(100);
  expect(claim(shares, ['large', 'small'], 100)).toEqual({ small: 100 });
  expect(claim(shares, ['large', 'small'], 100)).toEqual({ large: 50, small: 50 });
});

test('the number of remembered ones is limited', () => {
  const shares = createShares<string>(() => 1, 2);
  for (const name of ['a', 'b', 'c']) shares.spend(name, 5);
  expect([...shares.leaders().keys()]).toEqual(['b', 'c']);
});
