/** When a receipt is posted again: by its outcome, the number of attempts and Retry-After. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../../platform/for-every-testing.ts';
import type { PostOutcome } from '../callback/client.ts';
import { defaultScheduleSeconds, nextAttempt } from './schedule.ts';

const seed = Number(process.env.SEED);
const answered = (status: number, retryAfterSeconds?: number): PostOutcome =>
  retryAfterSeconds === undefined
    ? { kind: 'answered', status }
    : { kind: 'answered', status, retryAfterSeconds };
const timeout: PostOutcome = { kind: 'failed', reason: 'timeout' };
const middle = 0.5;

test('the published schedule: 5 s, 30 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h', () => {
  const [minute, hour] = [60, 3600];
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * hour);
  const published = [5, 30, 5 * minute, 30 * minute, ...hours];
  expect([...defaultScheduleSeconds]).toStrictEqual(published);
  const delays = published.map((_, made) => nextAttempt(timeout, made + 1, defaultScheduleSeconds, middle));
  expect(delays).toStrictEqual(published.map((delaySeconds) => ({ kind: 'again', delaySeconds })));
  expect(nextAttempt(timeout, 11, defaultScheduleSeconds, middle)).toStrictEqual({ kind: 'exhausted' });
});

describe('after an outcome', () => {
  testEvery<[string, PostOutcome, string]>([
    ['200', answered(200), 'delivered'],
    ['299', answered(299), 'delivered'],
    ['a success that asks to wait is a success', answered(200, 60), 'delivered'],
    ['410 ends it', answered(410), 'ended'],
    ['199', answered(199), 'again'],
    ['300', answered(300), 'again'],
    ['409', answered(409), 'again'],
    ['411', answered(411), 'again'],
    ['no response', timeout, 'again'],
    ['a destination that is private today', { kind: 'refused', reason: 'address not allowed' }, 'again'],
  ])('%s', (_rule, outcome, kind) => {
    expect(nextAttempt(outcome, 1, [100], middle).kind).toBe(kind);
  });

  testEvery<[string, PostOutcome, string]>([
    ['a success on the last attempt', answered(200), 'delivered'],
    ['500 on the last attempt', answered(500), 'exhausted'],
    ['Retry-After on the last attempt', answered(503, 60), 'exhausted'],
  ])('%s', (_rule, outcome, kind) => {
    expect(nextAttempt(outcome, 2, [100], middle).kind).toBe(kind);
  });

  test('without a schedule there is one attempt', () => {
    expect(nextAttempt(timeout, 1, [], middle)).toStrictEqual({ kind: 'exhausted' });
  });
});

describe('the delay', () => {
  testEvery<[string, PostOutcome, number, number]>([
    ['20 % earlier at the least', timeout, 0, 80],
    ['as planned', timeout, 0.5, 100],
    ['20 % later at the most', timeout, 1, 120],
    ['Retry-After that is later', answered(503, 500), 0.5, 500],
    ['Retry-After that is earlier', answered(503, 5), 0.5, 100],
    ['Retry-After inside the jitter', answered(429, 90), 0, 90],
  ])('%s', (_rule, outcome, random, delaySeconds) => {
    const next = nextAttempt(outcome, 1, [100], random);
    expect(next).toStrictEqual({ kind: 'again', delaySeconds: expect.closeTo(delaySeconds, 6) });
  });

  test('stays within the jitter, whatever happens', () => {
    const random = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), random, (attemptsMade, share) => {
        const next = nextAttempt(timeout, attemptsMade, defaultScheduleSeconds, share);
        const planned = defaultScheduleSeconds[attemptsMade - 1] ?? Number.NaN;
        if (next.kind !== 'again') throw new Error(next.kind);
        expect(next.delaySeconds / planned).toBeGreaterThanOrEqual(0.8 - 1e-9);
        expect(next.delaySeconds / planned).toBeLessThanOrEqual(1.2 + 1e-9);
      }),
      { seed },
    );
  });
});
