/** Gives each connector its own lots, so that a slow, paused or dead one does not delay others. */
import { createPause } from '../platform/concurrency/pause.ts';
import { type ClaimedJob, type DeliveryJob, laneOf } from '../queue/job.ts';
import { groupOfLane } from '../queue/job-documents.ts';
import { type Choice, createChoice, type Through } from './choice.ts';
import { claimDeliveryJobs } from './claim.ts';
import { type DeliveryDependencies, deliverJobs, noConnector } from './deliver.ts';
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
const roomForUnmatched = 400;

/** Between claims while all lanes are full; such a claim only finds new lanes and expired jobs. */
const restMs = 50;

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
  return { of, haveRoom: (name: string) => of(name).running < lotsPerConnector };
}

/** A lane whose jobs may be claimed now; without `through` they are only given their way. */
interface OpenLane {
  room: number;
  through?: Through;
}

/** The lanes that can take messages now, with the room that each has. */
async function openLanes(
  turns: LaneTurns,
  lots: ReturnType<typeof createLots>,
  choice: Choice,
  waysOf: LaneDependencies['waysOf'],
): Promise<Map<string, OpenLane>> {
  const open = new Map<string, OpenLane>();
  const byConnector = new Map<string, { through: Through; lane: string }[]>();
  for (const lane of turns.lanes()) {
    const group = groupOfLane(lane);
    const ways = group && (await waysOf(group));
    if (group === undefined || ways === undefined) open.set(lane, { room: roomForUnreadable });
    else if (ways === 'unmatched') open.set(lane, { room: roomForUnmatched });
    else {
      const through = choice.through(group, ways, lots.haveRoom);
      if (through === undefined) continue;
      const own = byConnector.get(through.name);
      if (own === undefined) byConnector.set(through.name, [{ through, lane }]);
      else own.push({ through, lane });
    }
  }
  for (const [name, lanes] of byConnector) {
    const sharing = Math.max(1, lanes.filter(({ lane }) => turns.isBusy(lane)).length);
    for (const { through, lane } of lanes)
      open.set(lane, {
        through,
        room: Math.ceil(lots.of(name).room.messages(through.connector) / sharing),
      });
  }
  return open;
}

export function createLanes(dependencies: LaneDependencies): Lanes {
  const { logger, waysOf, lotsPerConnector, run, onFree } = dependencies;
  const lots = createLots(lotsPerConnector);
  const choice = createChoice();
  const turns = createLaneTurns();
  const running = new Set<Promise<void>>();
  /** Jobs of lots that are under way, by id. */
  const underWay = new Map<string, ClaimedJob<DeliveryJob>>();
  /** How many claims in a row found only jobs that others hold. */
  let outrunClaims = 0;
  let claimedMs = Number.NEGATIVE_INFINITY;
  const rest = createPause();
  const findOpen = () => openLanes(turns, lots, choice, waysOf);

  const claim = async (): Promise<{
    jobs: ClaimedJob<DeliveryJob>[];
    open: ReadonlyMap<string, OpenLane>;
    more: boolean;
  }> => {
    let open = await findOpen();
    const leftMs = claimedMs + restMs - performance.now();
    if (open.size === 0 && leftMs > 0) {
      await rest.begin(leftMs);
      open = await findOpen();
    }
    claimedMs = performance.now();
    const rooms = new Map([...open].map(([lane, { room }]) => [lane, room]));
    const {
      jobs: claimed,
      lanes,
      more,
      outrun,
    } = await claimDeliveryJobs(dependencies, turns.asOpenLanes(rooms));
    const jobs = claimed.filter((job) => !isExtended(job));
    outrunClaims = outrun ? outrunClaims + 1 : 0;
    const isNew = turns.remember(lanes);
    turns.count(jobs, rooms);
    return isNew && jobs.length === 0
      ? claim()
      : { jobs, open, more: (more && outrunClaims < mostOutrun) || isNew };
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

  /** Those whose lane has no connector together. */
  const byConnector = (jobs: readonly ClaimedJob<DeliveryJob>[], open: ReadonlyMap<string, OpenLane>) => {
    const groups = new Map<string, { through: Through | undefined; jobs: ClaimedJob<DeliveryJob>[] }>();
    for (const job of jobs) {
      const lane = laneOf(job.data);
      const through = open.get(lane)?.through;
      if (through !== undefined) choice.spend(lane, through.name, job.data.messages);
      // What two lanes do if their connector refuses messages may differ.
      const name = through === undefined ? '' : through.hasOthers ? `${through.name} ${lane}` : through.name;
      const group = groups.get(name);
      if (group === undefined) groups.set(name, { through, jobs: [job] });
      else group.jobs.push(job);
    }
    return groups.values();
  };

  const start = (through: Through, jobs: readonly ClaimedJob<DeliveryJob>[]) => {
    const { name, connector } = through;
    const own = lots.of(name);
    own.running += 1;
    for (const job of jobs) underWay.set(job.id, job);
    const most = own.room.messages(connector);
    const lot = run(async () => {
      await deliverJobs(dependencies, jobs, {
        through,
        most,
        learn: ({ messages, tookNone, tookMs }) => {
          own.room.learn(messages, tookMs);
          if (through.hasOthers && messages > 0) choice.learn(name, !tookNone);
        },
      });
    })
      .catch((error: unknown) => {
        logger.error({ err: error, connector: name }, 'delivery failed; its jobs are retried');
      })
      .then(() => {
        own.running -= 1;
        for (const job of jobs) if (underWay.get(job.id) === job) underWay.delete(job.id);
        running.delete(lot);
        rest.end();
        onFree();
      });
    running.add(lot);
  };

  return {
    round: async () => {
      const { jobs, open, more } = await claim();
      for (const { through, jobs: some } of byConnector(jobs, open))
        if (through !== undefined) start(through, some);
        // They expire, or have yet to be given their way.
        else await deliverJobs(dependencies, some, noConnector);
      return more;
    },
    drain: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
