/** When a process counts as ready, and how often that is checked. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createReadiness, type Readiness, type UnavailableReason } from './readiness.ts';

let nowMs: number;
let probes: number;
let outcome: () => Promise<UnavailableReason | undefined>;
let readiness: Readiness;

beforeEach(() => {
  nowMs = 0;
  probes = 0;
  outcome = async () => undefined;
  readiness = createReadiness({ elapsedMs: () => nowMs });
});
afterEach(() => {
  jest.useRealTimers();
});

function start() {
  readiness.started(() => {
    probes += 1;
    return outcome();
  });
}

test('a process that starts or stops is not ready, and the database is not asked', async () => {
  expect(await readiness.check()).toBe('starting');
  start();
  expect(await readiness.check()).toBeUndefined();
  readiness.stopping();
  nowMs = 10_000;
  expect([await readiness.check(), probes]).toEqual(['stopping', 1]);
});

test('a process that is stopped while it starts stays not ready', async () => {
  readiness.stopping();
  start();
  expect(await readiness.check()).toBe('stopping');
});

test('a failed probe means the database; its message is not shown', async () => {
  outcome = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'));
  start();
  expect(await readiness.check()).toBe('database');
});

test('the result of a probe holds for a second, good or bad', async () => {
  outcome = async () => 'overloaded';
  start();
  expect(await readiness.check()).toBe('overloaded');
  outcome = async () => undefined;
  nowMs = 999;
  expect(await readiness.check()).toBe('overloaded');
  nowMs = 1_000;
  expect([await readiness.check(), probes]).toEqual([undefined, 2]);
});

test('a probe has two seconds to respond, and no second one runs beside it', async () => {
  jest.useFakeTimers();
  outcome = () => new Promise(() => {});
  start();
  const first = readiness.check();
  const second = readiness.check();
  await jest.advanceTimersByTimeAsync(2_000);
  expect([await first, await second]).toEqual(['database', 'database']);
  nowMs = 5_000;
  const third = readiness.check();
  await jest.advanceTimersByTimeAsync(2_000);
  expect([await third, probes]).toEqual(['database', 1]);
});
