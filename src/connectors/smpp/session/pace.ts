/** Slows a bind down while the SMSC throttles it. */

export interface YieldingPace {
  /** How long to wait before the next one; 0: now. */
  waitMs: (nowMs: number) => number;
  /** Counts one that goes out now. */
  spend: (nowMs: number) => void;
  /** The SMSC rejected one that went out at `sentMs` as too fast. */
  throttled: (sentMs: number, nowMs: number) => void;
  accepted: () => void;
}

const firstIntervalMs = 10;
const longestIntervalMs = 1_000;
/** Of the interval, after each accepted part. */
const relief = 0.9;

/** Doubles the time between two after every throttling, and takes a tenth off it with every success. */
export function createYieldingPace(): YieldingPace {
  let intervalMs = 0;
  let nextMs = 0;
  let slowedMs = Number.NEGATIVE_INFINITY;
  return {
    waitMs: (nowMs) => Math.max(0, nextMs - nowMs),
    spend: (nowMs) => {
      if (intervalMs > 0) nextMs = Math.max(nextMs, nowMs) + intervalMs;
    },
    throttled: (sentMs, nowMs) => {
      // Responses to parts sent before we slowed down say nothing about the slower pace.
      if (sentMs < slowedMs) return;
      intervalMs = Math.min(longestIntervalMs, Math.max(firstIntervalMs, intervalMs * 2));
      slowedMs = nowMs;
      nextMs = nowMs + intervalMs;
    },
    accepted: () => {
      intervalMs = intervalMs < 1 ? 0 : intervalMs * relief;
    },
  };
}
