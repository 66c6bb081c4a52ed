/** Schedules retries of messages that a network failed, and of destinations whose queue is full. */
import type { Stopwatch } from '../../platform/clock.ts';
import { createExpiringMap } from '../../platform/concurrency/expiring-map.ts';

export interface Retries {
  /** Counts a failure of the message. Seconds until it may be retried; undefined: not any more. */
  delaySeconds: (messageId: string) => number | undefined;
  /** Holds back what goes to the number; returns for how many seconds. */
  hold: (phone: string) => number;
  /** For how long the number is held back; 0: not. */
  heldSeconds: (phone: string) => number;
}

const delaysSeconds = [5, 30, 120, 600];
const rememberedMs = 3_600_000;
const most = 10_000;
const firstHoldSeconds = 10;
const longestHoldSeconds = 600;

interface Hold {
  seconds: number;
  untilMs: number;
}

export function createRetries(clock: Stopwatch): Retries {
  const failures = createExpiringMap<number>(most, clock);
  const holds = createExpiringMap<Hold>(most, clock);
  return {
    delaySeconds: (messageId) => {
      const before = failures.get(messageId) ?? 0;
      failures.set(messageId, before + 1, rememberedMs);
      return delaysSeconds[before];
    },
    hold: (phone) => {
      const held = holds.get(phone);
      const nowMs = clock.elapsedMs();
      // Several of its messages were on their way together: one hold.
      if (held !== undefined && held.untilMs > nowMs) return Math.ceil((held.untilMs - nowMs) / 1_000);
      const seconds = held === undefined ? firstHoldSeconds : Math.min(longestHoldSeconds, held.seconds * 2);
      holds.set(phone, { seconds, untilMs: nowMs + seconds * 1_000 }, seconds * 2_000);
      return seconds;
    },
    heldSeconds: (phone) => {
      const untilMs = holds.get(phone)?.untilMs ?? 0;
      return Math.max(0, Math.ceil((untilMs - clock.elapsedMs()) / 1_000));
    },
  };
}
