/** Gives memory back after a load. V8 collects garbage only when something allocates, so an idle process keeps what it has. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After an interval in which the event loop was busy, the next idle one ends with a collection. */
const lookEveryMs = 5_000;
/** Shares of an interval. */
const busy = 0.25;
const idle = 0.05;

interface Surroundings {
  /** The share of the time since the last call in which the event loop was busy. */
  utilization: () => number;
  collect: () => void;
}

/** As long as the process lives. */
export function giveMemoryBackWhenIdle({ utilization, collect }: Surroundings = ofThisThread()): void {
  let owed = false;
  const look = () => {
    const share = utilization();
    if (share >= busy) owed = true;
    else if (owed && share < idle) {
      owed = false;
      collect();
    }
  };
  setInterval(look, lookEveryMs).unref();
}

export function ofThisThread(): Surroundings {
  let last = performance.eventLoopUtilization();
  return {
    utilization: () => {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
    collect: garbageCollector(),
  };
}

function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: (options: object) => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // An ordinary collection would keep the pages for later.
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
