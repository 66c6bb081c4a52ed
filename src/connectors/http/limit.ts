/** Keeps to the rate of an account, as far as this process has it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Stopwatch } from '../../platform/clock.ts';
import type { Connector } from '../contract/connector.ts';
import { type Account, noShare } from '../contract/share.ts';
import { createRate } from '../runtime/rate.ts';

/** A rate is divided into so many parts at most, so that up to four processes can have the same. */
const mostParts = 12;
/** A message that would wait longer goes back to the queue. */
const longestWaitMs = 2_000;

export function accountOf(ratePerSecond: number | undefined): Account | undefined {
  return ratePerSecond === undefined
    ? undefined
    : { parts: Math.min(mostParts, ratePerSecond), ratePerSecond };
}

export interface Limit extends Required<Pick<Connector, 'use' | 'state'>> {
  /** Waits until one more may be sent; false: not soon. */
  turn: () => Promise<boolean>;
}

/** `concurrency`: requests at once. */
export function createLimit(concurrency: number, clock: Stopwatch): Limit {
  const rate = createRate(0);
  let share = noShare;
  let untilMs = 0;
  const parts = () => (clock.elapsedMs() < untilMs ? share.parts.length : 0);
  return {
    use: async (next) => {
      share = next;
      untilMs = clock.elapsedMs() + next.forMs;
      rate.set(next.ratePerSecond);
    },
    state: () => ({
      binds: parts(),
      bound: parts(),
      window: concurrency,
      inFlight: 0,
      ratePerSecond: share.ratePerSecond,
    }),
    turn: async () => {
      for (let waitedMs = 0; ; ) {
        const nowMs = clock.elapsedMs();
        const waitMs = rate.waitMs(nowMs);
        if (parts() === 0 || waitedMs + waitMs > longestWaitMs) return false;
        if (waitMs === 0) {
          rate.spend(nowMs);
          return true;
        }
        await delay(waitMs);
        waitedMs += waitMs;
      }
    },
  };
}
