/** Gives each connector its own lane, so that a slow, paused or dead one does not delay others. */

import { type DeliveryJob, type Group, groupOf, type TakenJob } from '../queue/queue.ts';
import { type DeliveryDependencies, deliverJobs } from './deliver.ts';
import { takeJobs } from './take.ts';
import { takeWaiting, waitingGroups } from './waiting-repository.ts';

export interface LaneDependencies extends DeliveryDependencies {
  /** Jobs that one lane works on side by side, in lots of `jobsPerRound`. */
  lotsPerLane: number;
  /** The jobs of a lane that is full for longer are put aside, where they are in nobody's way. */
  patienceMs: number;
  /** Runs a lot; may rest afterwards, which counts as work. */
  run: (lot: () => Promise<void>) => Promise<void>;
  /** Called when a lane has room again. */
  onFree: () => void;
}

export interface Lanes {
  /** Shares out some jobs; answers whether there may be more at once. Does not wait for networks. */
  round: () => Promise<boolean>;
  /** Resolves when nothing is under way any more. */
  drain: () => Promise<void>;
}

interface Lane {
  lots: number;
  /** When it became full. */
  fullSinceMs: number;
  groups: Set<string>;
}

/** Jobs handed over together: few enough that nobody waits long for an embedded database. */
const jobsPerRound = 8;

export function createLanes(dependencies: LaneDependencies): Lanes {
  const { knex, queue, logger, routeOf, lotsPerLane, patienceMs, run, onFree } = dependencies;
  const lanes = new Map<string, Lane>();
  const running = new Set<Promise<void>>();

  const laneOf = (name: string): Lane => {
    const lane = lanes.get(name) ?? { lots: 0, fullSinceMs: 0, groups: new Set() };
    lanes.set(name, lane);
    return lane;
  };

  const start = (name: string, lane: Lane, jobs: readonly TakenJob<DeliveryJob>[]) => {
    lane.lots += 1;
    if (lane.lots === lotsPerLane) lane.fullSinceMs = performance.now();
    const lot = run(async () => {
      try {
        await deliverJobs(dependencies, jobs);
      } finally {
        // What comes now is rest: the lane will have room soon.
        lane.fullSinceMs = Number.POSITIVE_INFINITY;
      }
    })
      .catch((error: unknown) => {
        logger.error({ err: error, connector: name }, 'delivery failed; its jobs are retried');
      })
      .then(() => {
        lane.lots -= 1;
        running.delete(lot);
        onFree();
      });
    running.add(lot);
  };

  const hasRoom = async ({ product, channel }: Group) => {
    const route = await routeOf(product, channel);
    return route !== undefined && laneOf(route.name).lots < lotsPerLane;
  };

  /** Puts jobs that waited back into the queue: those with a lane that has room now, and those that expire. */
  const resume = async () => {
    const waiting = await waitingGroups(knex);
    if (waiting.length === 0) return;
    const open: Group[] = [];
    for (const group of waiting) if (await hasRoom(group)) open.push(group);
    await knex.transaction(async (trx) => {
      await queue.insert(trx, 'deliver', await takeWaiting(trx, open, jobsPerRound));
    });
  };

  return {
    round: async () => {
      await resume();
      const recentMs = performance.now() - patienceMs;
      const full = [...lanes.values()].filter(
        ({ lots, fullSinceMs }) => lots >= lotsPerLane && fullSinceMs > recentMs,
      );
      const jobs = await takeJobs(
        dependencies,
        'deliver',
        jobsPerRound,
        full.flatMap(({ groups }) => [...groups]),
      );
      const lots = new Map<string | undefined, TakenJob<DeliveryJob>[]>();
      for (const job of jobs) {
        const name = (await routeOf(job.data.product, job.data.channel))?.name;
        if (name !== undefined) laneOf(name).groups.add(groupOf(job.data));
        const roomy = name !== undefined && laneOf(name).lots < lotsPerLane ? name : undefined;
        lots.set(roomy, [...(lots.get(roomy) ?? []), job]);
      }
      for (const [name, lot] of lots) if (name !== undefined) start(name, laneOf(name), lot);
      const aside = lots.get(undefined);
      if (aside !== undefined) await deliverJobs({ ...dependencies, routeOf: async () => undefined }, aside);
      return jobs.length === jobsPerRound;
    },
    drain: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
