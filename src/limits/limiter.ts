/** The rate limit of a team's operation, counted in this process. */
import type { Clock } from '../clock.ts';
import { errors } from '../errors.ts';
import { countIn, emptyWindow, takeBack, type Window, windowMs } from './window.ts';

export interface RateLimit {
  /** Per team, in any second. */
  perSecond: number;
  /** What is counted, as the refusal says it. */
  noun: string;
}

export interface Limiter {
  /**
   * Counts a request's recipients in, whole or not at all. Rejects with 429 and counts nothing when they
   * exceed the limit. The returned function takes them back, for a request that is refused later on.
   */
  take: (teamId: string, operation: string, recipients: number) => Promise<() => void>;
}

export function createLimiter(limits: Readonly<Record<string, RateLimit>>, clock: Clock): Limiter {
  const windows = new Map<string, Window>();
  const forgetIdle = (nowMs: number) => {
    for (const [key, window] of windows) if (window.newest * 10 + windowMs < nowMs) windows.delete(key);
  };
  return {
    take: async (teamId, operation, recipients) => {
      const limit = limits[operation];
      if (limit === undefined) return () => {};
      const key = `${operation} ${teamId}`;
      const nowMs = clock.now();
      let window = windows.get(key);
      if (window === undefined) {
        if (windows.size >= 10_000) forgetIdle(nowMs);
        window = emptyWindow();
        windows.set(key, window);
      }
      const waitMs = countIn(window, recipients, limit.perSecond, nowMs);
      if (waitMs > 0)
        throw errors.rateLimit(limit.perSecond, limit.noun, Math.max(1, Math.ceil(waitMs / 1000)));
      const counted = window;
      return () => takeBack(counted, recipients, nowMs, clock.now());
    },
  };
}
