/** Time as a dependency, so that tests can hold it still or move it. */

/** The time of day: for what is stored, signed or compared with instants of others. It may be set back or forward. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Time that only passes: for lifetimes, pauses and rates. It means nothing outside this process. */
export interface Stopwatch {
  /** Milliseconds since some moment before the process began. */
  elapsedMs(): number;
}

export const systemClock: Clock & Stopwatch = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
};
