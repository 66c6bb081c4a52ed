/** Time as a dependency, so that tests can hold it still or move it. */

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
