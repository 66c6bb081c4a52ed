/** How many requests are admitted, at any speed of the service; time is simulated. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Admission, createAdmission, type Leave } from './admission.ts';
import { leastRequestsInProgress, mostRequestsInProgress } from './bounds.ts';

let nowMs: number;
let admission: Admission;

beforeEach(() => {
  nowMs = 0;
  admission = createAdmission({ elapsedMs: () => nowMs });
});

interface Run {
  acceptedMs: number[];
  refused: number;
}

/** A service that completes `capacity` requests per second, one after the other, while `offered` per second arrive. */
function run(capacity: number, offered: number, seconds: number): Run {
  const queue: { sinceMs: number; leave: Leave }[] = [];
  const result: Run = { acceptedMs: [], refused: 0 };
  let coming = 0;
  let completing = 0;
  for (const endMs = nowMs + seconds * 1000; nowMs < endMs; nowMs += 1) {
    for (coming += offered / 1000; coming >= 1; coming -= 1) {
      const leave = admission.enter();
      if (leave === undefined) result.refused += 1;
      else queue.push({ sinceMs: nowMs, leave });
    }
    completing = queue.length === 0 ? 0 : completing + capacity / 1000;
    for (; completing >= 1; completing -= 1) {
      const first = queue.shift();
      first?.leave(true);
      if (first !== undefined) result.acceptedMs.push(nowMs - first.sinceMs);
    }
  }
  for (const { leave } of queue) leave(false);
  return result;
}

function percentile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
}

describe.each([60, 300, 1_500, 6_000])('a service that completes %i requests per second', (capacity) => {
  test('at ten times its capacity accepted requests take under 2 s, and nearly all of it is used', () => {
    run(capacity, capacity * 10, 5);
    const { acceptedMs, refused } = run(capacity, capacity * 10, 20);
    expect(percentile(acceptedMs, 0.99)).toBeLessThan(2_000);
    expect(acceptedMs.length).toBeGreaterThan(0.95 * capacity * 20);
    expect(refused).toBeGreaterThan(0.8 * capacity * 10 * 20);
  });

  test('below its capacity nothing is rejected, not even right after an overload', () => {
    expect(run(capacity, capacity * 0.8, 5).refused).toBe(0);
    run(capacity, capacity * 10, 5);
    run(capacity, capacity * 0.5, 10);
    expect(admission.limit()).toBe(mostRequestsInProgress);
    expect(run(capacity, capacity * 0.8, 5).refused).toBe(0);
  });
});

test('a few slow requests do not lower the limit: they may be slow without a queue', () => {
  for (let round = 0; round < 50; round += 1) {
    const leaves = Array.from({ length: leastRequestsInProgress - 1 }, () => admission.enter());
    nowMs += 3_000;
    for (const leave of leaves) leave?.(true);
  }
  expect(admission.limit()).toBe(mostRequestsInProgress);
});

test('while nothing completes, the limit falls', () => {
  for (let index = 0; index < mostRequestsInProgress; index += 1) admission.enter();
  expect(admission.enter()).toBeUndefined();
  for (let step = 0; step < 30; step += 1) {
    nowMs += 100;
    expect(admission.enter()).toBeUndefined();
  }
  expect(admission.limit()).toBe(leastRequestsInProgress);
});

test('a limit that has fallen below what is in progress rises again once requests are fast', () => {
  const held = Array.from({ length: mostRequestsInProgress - 1 }, () => admission.enter());
  // What is in progress stays there, and for a while nothing else completes.
  for (const startMs = nowMs; nowMs - startMs < 3_000; nowMs += 50) admission.enter()?.(false);
  expect(admission.limit()).toBe(leastRequestsInProgress);
  for (const startMs = nowMs; nowMs - startMs < 60_000; nowMs += 50) admission.enter()?.(true);
  expect(admission.limit()).toBe(mostRequestsInProgress);
  expect(held).not.toContain(undefined);
});

test('rejected requests do not count towards the speed of the service', () => {
  run(100, 2_000, 5);
  const lowered = admission.limit();
  expect(lowered).toBeLessThan(mostRequestsInProgress / 2);
  const busy = Array.from({ length: lowered }, () => admission.enter());
  for (let index = 0; index < 100; index += 1) {
    busy.shift()?.(false);
    busy.push(admission.enter());
    nowMs += 10;
  }
  expect(admission.limit()).toBeLessThanOrEqual(lowered);
});
