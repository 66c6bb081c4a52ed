/** Timers as a dependency, so that tests move time instead of waiting. */

export interface Timers {
  /** Milliseconds that only grow. */
  now: () => number;
  /** Runs it once after so many milliseconds, unless the returned function is called before. */
  after: (ms: number, run: () => void) => () => void;
  /** From 0 to below 1. */
  random: () => number;
}

export const systemTimers: Timers = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
