/** Gives each connector its own lots, so that a slow, paused or dead one does not delay others. */
import type { Priority } from '../intake/plan.ts';
import type { OpenLane } from '../queue/claim-deliveries.ts';
import type { ClaimedJob, DeliveryJob } from '../queue/job.ts';
import { laneOf } from '../queue/job.ts';
import { groupOfLane } from '../queue/job-documents.ts';
import { createShares, type Shares, weights } from '../queue/shares.ts';
import { claimDeliveryJobs } from './claim.ts';
import { type DeliveryDependencies, deliverJobs } from './deliver.ts';
import type { Route } from './hand-over.ts';
import { createRoom, type Room } from './room.ts';

export interface LaneDependencies extends DeliveryDependencies {
  /** Lots that one connector works on side by side. */
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

/** How priorities and teams share a lane, as far as this process has claimed from it. */
interface LaneTurns {
  priorities: Shares<Priority>;
  teams: Record<Priority, Shares<string>>;
  lastTeam: Partial<Record<Priority, string>>;
}

const priorities = [0, 1, 2] as const;
/** Lanes of products that this version does not know are claimed too: their jobs go to quarantine. */
const roomForUnreadable = 100;
/** Lanes that are asked for jobs although they had none a moment ago. */
const lanesRemembered = 32;
const teamsRemembered = 100;

function createTurns(): LaneTurns {
  const teams = () => createShares<string>(() => 1, teamsRemembered);
  return {
    priorities: createShares((priority) => weights[priority], priorities.length),
    teams: { 0: teams(), 1: teams(), 2: teams() },
    lastTeam: {},
  };
}

export function createLanes(dependencies: LaneDependencies): Lanes {
  const { logger, routeOf, lotsPerConnector, run, onFree } = dependencies;
  const connectors = new Map<string, ConnectorLots>();
  const turns = new Map<string, LaneTurns>();
  const running = new Set<Promise<void>>();
  /** Lanes that had jobs at the last claim. */
  let busy: ReadonlySet<string> = new Set();

  const lotsOf = (name: string): ConnectorLots => {
    const lots = connectors.get(name) ?? { running: 0, room: createRoom() };
    connectors.set(name, lots);
    return lots;
  };
  const turnsOf = (lane: string): LaneTurns => {
    const own = turns.get(lane) ?? createTurns();
    // The last one that was used is the last one to be forgotten.
    turns.delete(lane);
    turns.set(lane, own);
    return own;
  };
  /** Returns whether one of them is new: its jobs were not asked for. */
  const remember = (lanes: readonly string[]): boolean => {
    const isNew = lanes.some((lane) => !turns.has(lane));
    busy = new Set(lanes);
    for (const lane of lanes) turnsOf(lane);
    for (const lane of turns.keys()) if (turns.size > lanesRemembered && !busy.has(lane)) turns.delete(lane);
    return isNew;
  };
  const hasRoom = (route: Route | undefined) =>
    route !== undefined && lotsOf(route.name).running < lotsPerConnector;

  /** The lanes that can take messages now, with the room that each has. */
  const openLanes = async (): Promise<Map<string, number>> => {
    const open = new Map<string, number>();
    const byConnector = new Map<string, { route: Route; lanes: string[] }>();
    for (const lane of turns.keys()) {
      const group = groupOfLane(lane);
      const route = group && (await routeOf(group.product, group.channel));
      if (group === undefined) open.set(lane, roomForUnreadable);
      else if (route !== undefined && hasRoom(route)) {
        const own = byConnector.get(route.name);
        if (own === undefined) byConnector.set(route.name, { route, lanes: [lane] });
        else own.lanes.push(lane);
      }
    }
    for (const { route, lanes } of byConnector.values()) {
      const room = lotsOf(route.name).room.messages(route.connector);
      const sharing = Math.max(1, lanes.filter((lane) => busy.has(lane)).length);
      for (const lane of lanes) open.set(lane, Math.ceil(room / sharing));
    }
    return open;
  };

  const asOpenLanes = (open: ReadonlyMap<string, number>): OpenLane[] =>
    [...open].flatMap(([lane, room]) =>
      priorities.map((priority) => {
        const own = turnsOf(lane);
        return {
          lane,
          priority,
          weight: weights[priority],
          ahead: own.priorities.ahead(priority),
          teamsAhead: Object.fromEntries(own.teams[priority].leaders()),
          room,
          after: own.lastTeam[priority] ?? '',
        };
      }),
    );

  /** Counts what a lane spent of its room: of the job that exceeds it, only what fits. */
  const countTurns = (jobs: readonly ClaimedJob<DeliveryJob>[], open: Map<string, number>) => {
    for (const { data } of jobs) {
      const lane = laneOf(data);
      const left = open.get(lane);
      if (left === undefined) continue;
      const own = turnsOf(lane);
      const fits = Math.min(data.messages, Math.max(left, 0));
      own.priorities.spend(data.priority, fits);
      own.teams[data.priority].spend(data.teamId, fits);
      own.lastTeam[data.priority] = data.teamId;
      open.set(lane, left - fits);
    }
  };

  const claim = async (): Promise<{ jobs: ClaimedJob<DeliveryJob>[]; more: boolean }> => {
    const open = await openLanes();
    const { jobs, lanes, more } = await claimDeliveryJobs(dependencies, asOpenLanes(open));
    const isNew = remember(lanes);
    countTurns(jobs, open);
    return isNew && jobs.length === 0 ? claim() : { jobs, more: more || isNew };
  };

  const start = ({ name, connector }: Route, jobs: readonly ClaimedJob<DeliveryJob>[]) => {
    const lots = lotsOf(name);
    lots.running += 1;
    const most = lots.room.messages(connector);
    const lot = run(async () => {
      await deliverJobs(dependencies, jobs, { most, learn: lots.room.learn });
    })
      .catch((error: unknown) => {
        logger.error({ err: error, connector: name }, 'delivery failed; its jobs are retried');
      })
      .then(() => {
        lots.running -= 1;
        running.delete(lot);
        onFree();
      });
    running.add(lot);
  };

  return {
    round: async () => {
      const { jobs, more } = await claim();
      const lots = new Map<
        string | undefined,
        { route: Route | undefined; jobs: ClaimedJob<DeliveryJob>[] }
      >();
      for (const job of jobs) {
        const found = await routeOf(job.data.product, job.data.channel);
        const route = hasRoom(found) ? found : undefined;
        const lot = lots.get(route?.name) ?? { route, jobs: [] };
        lots.set(route?.name, lot);
        lot.jobs.push(job);
      }
      for (const { route, jobs: some } of lots.values())
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
