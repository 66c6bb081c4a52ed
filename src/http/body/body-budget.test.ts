/** How many bytes of bodies may be in memory at once. */
import { expect, test } from '@jest/globals';
import { createBodyBudget } from './body-budget.ts';

test('a holder has its share and no more, until its requests end', () => {
  const budget = createBodyBudget(100, 1 / 4);
  const [first, second] = [budget.open('acme'), budget.open('acme')];
  expect([first.take(20), second.take(5), second.take(1), first.take(1)]).toEqual([true, true, false, false]);
  first.end();
  expect([second.take(20), second.take(1)]).toEqual([true, false]);
});

test('all holders together have no more than the limit', () => {
  const budget = createBodyBudget(100, 1 / 4);
  for (const holder of ['a', 'b', 'c', 'd']) expect(budget.open(holder).take(25)).toBe(true);
  expect(budget.open('e').take(1)).toBe(false);
});

test('a lease that ends twice returns its bytes once', () => {
  const budget = createBodyBudget(100, 1);
  const lease = budget.open('acme');
  lease.take(60);
  budget.open('other').take(40);
  lease.end();
  lease.end();
  expect([budget.open('acme').take(61), budget.open('acme').take(60)]).toEqual([false, true]);
});
