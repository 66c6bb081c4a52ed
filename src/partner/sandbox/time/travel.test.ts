/** Time travel: every due instant is visited in order, and nothing that cannot be done holds it up. */
import { expect, test } from '@jest/globals';
import { createTravel } from './travel.ts';

/** A world with things that become due at these instants; doing one may make others due. */
function world(instants: number[], follow: (instant: number) => number[] = () => []) {
  let nowMs = 1_000;
  let due = instants;
  const done: [at: number, due: number][] = [];
  const travel = createTravel({
    clock: {
      now: () => nowMs,
      moveTo: async (ms) => {
        nowMs = ms;
      },
    },
    findDue: async () => ({
      count: due.filter((one) => one <= nowMs).length,
      nextMs: due.filter((one) => one > nowMs).sort((one, other) => one - other)[0],
    }),
    settle: async () => {
      const now = due.filter((one) => one <= nowMs);
      due = due.filter((one) => one > nowMs);
      for (const one of now) {
        done.push([nowMs, one]);
        due.push(...follow(one));
      }
    },
  });
  return { travel, done, now: () => nowMs };
}

test('everything is done at its own time, in order, with its consequences', async () => {
  const { travel, done, now } = world([3_000, 1_500, 9_000], (one) =>
    one === 1_500 ? [1_500.4, 2_000] : [],
  );
  await travel(4_000);
  expect(done).toEqual([
    [1_500, 1_500],
    [1_501, 1_500.4],
    [2_000, 2_000],
    [3_000, 3_000],
  ]);
  expect(now()).toBe(5_000);
});

test('due work that cannot be done does not hold up the clock', async () => {
  const { travel, now } = world([500], () => [500]);
  await travel(60_000);
  expect(now()).toBe(61_000);
});

test('journeys follow one another', async () => {
  const { travel, now } = world([]);
  await Promise.all([travel(1_000), travel(2_000)]);
  expect(now()).toBe(4_000);
});
