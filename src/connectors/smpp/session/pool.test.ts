/** The pool of parts that wait for a place in a window. */
import { expect, test } from '@jest/globals';
import { createFakeTimers } from '../fake-testing.ts';
import type { ShortMessage } from '../wire/bodies.ts';
import type { Link } from './link.ts';
import { createPool, type Job, type Submitted } from './pool.ts';

test('a response after the deadline sends nothing more, even before the timer of the deadline', () => {
  const timers = createFakeTimers();
  const answers: ((answer: undefined) => void)[] = [];
  const link = { request: (_command: string, _fields: object, done: () => void) => answers.push(done) };
  const outcomes: Submitted['kind'][] = [];
  const job = (): Job => ({
    fields: {} as ShortMessage,
    deadlineMs: timers.now() + 10_000,
    onDone: ({ kind }) => {
      outcomes.push(kind);
      return undefined;
    },
  });
  const pool = createPool({ window: 1, rate: 1_000 }, timers, { throttled: () => {}, failed: () => {} });
  pool.add(link as unknown as Link);
  pool.submit(job());
  pool.submit(job());
  timers.advance(10_000);
  answers[0]?.(undefined);
  expect([answers.length, outcomes, pool.inFlight()]).toEqual([1, ['unanswered', 'withdrawn'], 0]);
});
