/** Limits how many leave in any second. */

/** Where a late timer may catch up. */
const slackMs = 50;

export interface Rate {
  /** How long to wait before the next one; 0: now; infinite while nothing may leave. */
  waitMs: (nowMs: number) => number;
  /** Counts one that goes out now. */
  spend: (nowMs: number) => void;
  /** From now on; what left already counts. */
  set: (perSecond: number) => void;
}

export function createRate(perSecond: number): Rate {
  let limit = perSecond;
  let nextMs = 0;
  /** When the last ones left, as many as may in a second. */
  let left = new Float64Array(limit);
  let count = 0;
  return {
    waitMs: (nowMs) => {
      if (limit === 0) return Number.POSITIVE_INFINITY;
      const fullMs = count < limit ? 0 : (left[(count - limit) % left.length] ?? 0) + 1_000;
      return Math.max(0, nextMs - nowMs, fullMs - nowMs);
    },
    spend: (nowMs) => {
      nextMs = Math.max(nextMs, nowMs - slackMs) + 1_000 / limit;
      left[count % left.length] = nowMs;
      count += 1;
    },
    set: (next) => {
      limit = next;
      if (next <= left.length) return;
      const known = Math.min(count, left.length);
      const more = new Float64Array(next);
      for (let one = 0; one < known; one += 1) more[one] = left[(count - known + one) % left.length] ?? 0;
      left = more;
      count = known;
    },
  };
}
