/** Gives each connector its own lots, so that a slow, paused or dead one does not delay others. */
import type { ClaimedJob, DeliveryJob } from '../queue/job.ts';
import { groupOfLane } from '../queue/job-documents.ts';
import { claimDeliveryJobs } from './claim.ts';
import { type DeliveryDependencies, deliverJobs } from './deliver.ts';
import type { Route } from './hand-over.ts';
import { createLaneTurns, type LaneTurns } from './lane-turns.ts';
import { createRoom, type Room } from './room.ts';

export interface LaneDependencies extends DeliveryDependencies {
  /** Lots that one connector processes concurrently. */
  lotsPerConnector: number;
  /** Runs a lot; may rest afterwards, which counts as work. */
  run: (lot: () => Promise<void>) => Promise<void>;
  /** Called when a connector has room again. */
  onFree: () => void;
}

export interface Lanes {
  /** Starts lots of due jobs; says whether there may be more at once. Does not wait for networks. */
  round: () => Promise<boolean>;
  /** Resolves when nothing is under way any more. */
  drain: () => Promise<void>;
}

interface ConnectorLots {
  running: number;
  room: Room;
}

/** Lanes of products that this version does not know are claimed too: their jobs go to quarantine. */
const roomForUnreadable = 100;

/** Whoever claims at the same moment is soon done; whoever stands still in a transaction may hold its jobs for long. */
const mostOutrun = 3;

/** The lots of each connector. */
function createLots(lotsPerConnector: number) {
  const connectors = new Map<string, ConnectorLots>();
  const of = (name: string): ConnectorLots => {
    const own = connectors.get(name) ?? { running: 0, room: createRoom() };
    connectors.set(name, own);
    return own;
  };
  return {
    of,
    haveRoom: (route: Route | undefined) => route !== undefined && of(route.name).running < lotsPerConnector,
  };
}

/** The lanes that can take messages now, with the room that each has. */
async function openLanes(
  turns: LaneTurns,
  lots: ReturnType<typeof createLots>,
  routeOf: LaneDependencies['routeOf'],
): Promise<Map<string, number>> {
  const open = new Map<string, number>();
  const byConnector = new Map<string, { route: Route; lanes: string[] }>();
  for (const lane of turns.lanes()) {
    const group = groupOfLane(lane);
    const route = group && (await routeOf(group.product, group.channel));
    if (group === undefined) open.set(lane, roomForUnreadable);
    else if (route !== undefined && lots.haveRoom(route)) {
      const own = byConnector.get(route.name);
      if (own === undefined) byConnector.set(route.name, { route, lanes: [lane] });
      else own.lanes.push(lane);
    }
  }
  for (const { route, lanes } of byConnector.values()) {
    const room = lots.of(route.name).room.messages(route.connector);
    const sharing = Math.max(1, lanes.filter(turns.isBusy).length);
    for (const lane of lanes) open.set(lane, Math.ceil(room / sharing));
  }
  return open;
}

export function createLanes(dependencies: LaneDependencies): Lanes {
  const { logger, routeOf, lotsPerConnector, run, onFree } = dependencies;
  const lots = createLots(lotsPerConnector);
  const turns = createLaneTurns();
  const running = new Set<Promise<void>>();
  /** Jobs of lots that are under way, by id. */
  const underWay = new Map<string, ClaimedJob<DeliveryJob>>();
  /** How many claims in a row found only jobs that others hold. */
  let outrunClaims = 0;

  const claim = async (): Promise<{ jobs: ClaimedJob<DeliveryJob>[]; more: boolean }> => {
    const open = await openLanes(turns, lots, routeOf);
    const {
      jobs: claimed,
      lanes,
      more,
      outrun,
    } = await claimDeliveryJobs(dependencies, turns.asOpenLanes(open));
    const jobs = claimed.filter((job) => !isExtended(job));
    outrunClaims = outrun ? outrunClaims + 1 : 0;
    const isNew = turns.remember(lanes);
    turns.count(jobs, open);
    return isNew && jobs.length === 0
      ? claim()
      : { jobs, more: (more && outrunClaims < mostOutrun) || isNew };
  };

  /**
   * The database's clock was set forward: leases ended there that have not ended here. A job that nobody else claimed in
   * between stays with its lot, which would otherwise be sent twice.
   */
  const isExtended = ({ id, claims }: ClaimedJob<DeliveryJob>): boolean => {
    const own = underWay.get(id);
    if (own === undefined || own.leaseEndsMs <= performance.now() || claims !== own.claims + 1) return false;
    own.claims = claims;
    return true;
  };

  const byRoute = async (jobs: readonly ClaimedJob<DeliveryJob>[]) => {
    const groups = new Map<string | undefined, { route?: Route; jobs: ClaimedJob<DeliveryJob>[] }>();
    for (const job of jobs) {
      const found = await routeOf(job.data.product, job.data.channel);
      const route = lots.haveRoom(found) ? found : undefined;
      const group = groups.get(route?.name) ?? { ...(route === undefined ? {} : { route }), jobs: [] };
      groups.set(route?.name, group);
      group.jobs.push(job);
    }
    return groups.values();
  };

  const start = ({ name, connector }: Route, jobs: readonly ClaimedJob<DeliveryJob>[]) => {
    const own = lots.of(name);
    own.running += 1;
    for (const job of jobs) underWay.set(job.id, job);
    const most = own.room.messages(connector);
    const lot = run(async () => {
      await deliverJobs(dependencies, jobs, { most, learn: own.room.learn });
    })
      .catch((error: unknown) => {
        logger.error({ err: error, connector: name }, 'delivery failed; its jobs are retried');
      })
      .then(() => {
        own.running -= 1;
        for (const job of jobs) if (underWay.get(job.id) === job) underWay.delete(job.id);
        running.delete(lot);
        onFree();
      });
    running.add(lot);
  };

  return {
    round: async () => {
      const { jobs, more } = await claim();
      for (const { route, jobs: some } of await byRoute(jobs))
        if (route !== undefined) start(route, some);
        // They expire, or lost their connector a moment ago.
        else await deliverJobs({ ...dependencies, routeOf: async () => undefined }, some);
      return more;
    },
    drain: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
