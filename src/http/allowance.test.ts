/** How much a holder may spend at once and over time. */
import { beforeEach, expect, test } from '@jest/globals';
import { type Allowance, createAllowance } from './allowance.ts';

let nowMs: number;
let allowance: Allowance;

beforeEach(() => {
  nowMs = 0;
  allowance = createAllowance({ burst: 100, perSecond: 10 }, { elapsedMs: () => nowMs });
});

test('the burst can be spent at once; beyond it callers wait', () => {
  allowance.spend('a', 100);
  expect(allowance.waitSeconds('a')).toBe(0);
  allowance.spend('a', 25);
  expect([allowance.waitSeconds('a'), allowance.waitSeconds('b')]).toEqual([3, 0]);
  nowMs = 2_499;
  expect(allowance.waitSeconds('a')).toBe(1);
  nowMs = 2_500;
  expect(allowance.waitSeconds('a')).toBe(0);
});

test('no wait is longer than the burst takes to refill', () => {
  for (let times = 0; times < 10; times += 1) allowance.spend('a', 1_000);
  expect(allowance.waitSeconds('a')).toBe(10);
});

test('spending at the allowed rate never waits', () => {
  for (let second = 0; second < 1_000; second += 1) {
    nowMs = second * 1_000;
    allowance.spend('a', 10);
    expect(allowance.waitSeconds('a')).toBe(0);
  }
});

test('the last 10,000 holders are remembered', () => {
  allowance.spend('early', 200);
  allowance.spend('kept', 200);
  for (let holder = 0; holder < 9_998; holder += 1) allowance.spend(String(holder), 1);
  allowance.spend('kept', 1);
  allowance.spend('one more', 1);
  expect([allowance.waitSeconds('early'), allowance.waitSeconds('kept') > 0]).toEqual([0, true]);
});
