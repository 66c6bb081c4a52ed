/** Backs off from recipients and senders that are throttled, longer each time. */
import type { Stopwatch } from '../../platform/clock.ts';
import { createExpiringMap } from '../../platform/concurrency/expiring-map.ts';

export interface SlowDown {
  /** Seconds until `key` may be used again; 0: now. */
  wait: (key: string) => number;
  /** Pauses `key` for the returned seconds, which are at least `atLeastSeconds`. */
  slower: (key: string, atLeastSeconds?: number) => number;
  /** `key` works: the next pause is a short one again. */
  works: (key: string) => void;
}

export interface SlowDownOptions {
  firstSeconds: number;
  /** Each pause is this many times as long as the one before. */
  factor: number;
  limitSeconds: number;
}

const mostKeys = 10_000;
/** How long a pause is remembered after its end. */
const memoryMs = 3_600_000;

interface Pause {
  seconds: number;
  untilMs: number;
}

export function createSlowDown(options: SlowDownOptions, clock: Stopwatch): SlowDown {
  const { firstSeconds, factor, limitSeconds } = options;
  const pauses = createExpiringMap<Pause>(mostKeys, clock);
  const wait = (key: string) => {
    const pause = pauses.get(key);
    return pause === undefined ? 0 : Math.max(0, Math.ceil((pause.untilMs - clock.elapsedMs()) / 1000));
  };
  return {
    wait,
    slower: (key, atLeastSeconds = 0) => {
      // Responses to concurrent requests cause one pause, not one each.
      const left = wait(key);
      if (left >= atLeastSeconds && left > 0) return left;
      const before = pauses.get(key)?.seconds;
      const next = before === undefined ? firstSeconds : Math.min(before * factor, limitSeconds);
      const pauseMs = Math.max(next, atLeastSeconds) * 1000;
      pauses.set(key, { seconds: next, untilMs: clock.elapsedMs() + pauseMs }, pauseMs + memoryMs);
      return wait(key);
    },
    works: (key) => {
      const pause = pauses.get(key);
      if (pause !== undefined && wait(key) === 0) pauses.drop(key, pause);
    },
  };
}
