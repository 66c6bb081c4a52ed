/** Gives memory back after a load. V8 collects garbage when something allocates: an idle process would keep all it has. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Once the event loop was busy for a quarter of such a time, garbage is collected after one in which it was idle. */
const lookEveryMs = 5_000;
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
  // Returns pages that a usual collection would keep for what comes next.
  return () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
