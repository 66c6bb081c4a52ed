/** How often loops look for work: often while something happens, hardly ever while nothing does, and in time for what is due. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { type Loop, startLoop } from './loop.ts';
import { createQuietPace } from './pace.ts';

const logger = pino({ level: 'silent' });
let dueMs: number | undefined;
let questions: number;
let looks: number;
let loop: Loop;

beforeEach(() => {
  jest.useFakeTimers();
  [dueMs, questions, looks] = [undefined, 0, 0];
});
afterEach(async () => {
  jest.useRealTimers();
  await loop.stop();
});

/** A loop that looks every half second, for work that `step` finds. */
function start(step: () => Promise<boolean> = async () => false) {
  const pace = createQuietPace({
    quietAfterMs: 10_000,
    longestMs: 15_000,
    untilDue: async () => {
      questions += 1;
      return dueMs;
    },
    logger,
  });
  loop = startLoop(
    'test',
    500,
    logger,
    async () => {
      looks += 1;
      return step();
    },
    pace,
  );
  return pace;
}

async function looksWithin(ms: number): Promise<number> {
  const before = looks;
  await jest.advanceTimersByTimeAsync(ms);
  return looks - before;
}

test('when nothing has happened for ten seconds, loops look four times a minute, with one query each', async () => {
  start();
  expect(await looksWithin(10_000)).toBeGreaterThanOrEqual(19);
  expect(await looksWithin(60_000)).toBeLessThanOrEqual(5);
  expect(questions).toBeLessThanOrEqual(5);
});

test('due work ends the quiet when it is due', async () => {
  start();
  await looksWithin(9_000);
  dueMs = 3_000;
  // Quiet from 10 s on, due at 13 s, give or take a look.
  expect(await looksWithin(3_900)).toBeLessThanOrEqual(4);
  dueMs = undefined;
  expect(await looksWithin(2_000)).toBeGreaterThanOrEqual(3);
});

test('due work that cannot be done is looked at as often as ever', async () => {
  start();
  dueMs = -1;
  await looksWithin(12_000);
  expect(await looksWithin(10_000)).toBeGreaterThanOrEqual(18);
});

test('any event ends the quiet at once', async () => {
  const pace = start();
  await looksWithin(20_000);
  const before = looks;
  pace.touch();
  await jest.advanceTimersByTimeAsync(0);
  expect(looks).toBe(before + 1);
  expect(await looksWithin(5_000)).toBeGreaterThanOrEqual(9);
});

test('work that was found ends the quiet of all loops', async () => {
  let found = false;
  start(async () => {
    const more = found;
    found = false;
    return more;
  });
  await looksWithin(20_000);
  found = true;
  // Found at the next look, after 25 s.
  await looksWithin(6_000);
  expect(await looksWithin(5_000)).toBeGreaterThanOrEqual(9);
});
