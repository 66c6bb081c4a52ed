/** What a rate lets through, however late its timers are. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createRate } from './rate.ts';

const seed = Number(process.env.SEED);

test('a rate spaces what leaves, and lets a late timer catch up a little', () => {
  const rate = createRate(100);
  const sentMs: number[] = [];
  for (let nowMs = 1_000; nowMs < 2_000; nowMs += 15)
    while (rate.waitMs(nowMs) === 0) {
      rate.spend(nowMs);
      sentMs.push(nowMs);
    }
  expect(sentMs.length).toBeGreaterThanOrEqual(98);
  expect(sentMs.filter((atMs) => atMs < 1_100).length).toBeLessThan(20);
});

test('no second has more than the rate, whenever it looks, and after it changes none has more than both', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 50, maxLength: 200 });
  const holds = fc.property(
    pauses,
    fc.integer({ min: 1, max: 60 }),
    fc.integer({ min: 0, max: 60 }),
    (waits, before, after) => {
      const rate = createRate(before);
      const sentMs: number[] = [];
      let [nowMs, changedMs] = [0, Number.POSITIVE_INFINITY];
      for (const [turn, wait] of waits.entries()) {
        nowMs += wait;
        if (turn === 25) {
          rate.set(after);
          changedMs = nowMs;
        }
        while (rate.waitMs(nowMs) === 0) {
          rate.spend(nowMs);
          sentMs.push(nowMs);
        }
      }
      for (const startMs of sentMs) {
        const inSecond = sentMs.filter((atMs) => atMs >= startMs && atMs < startMs + 1_000).length;
        const most =
          startMs > changedMs ? after : startMs + 1_000 <= changedMs ? before : Math.max(before, after);
        expect(inSecond).toBeLessThanOrEqual(most);
      }
    },
  );
  fc.assert(holds, { numRuns: 200, seed });
});
