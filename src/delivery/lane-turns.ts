/** How priorities and teams take turns in each lane, as far as this process has claimed from it. */
import type { Priority } from '../model/plan.ts';
import type { OpenLane } from '../queue/claim-deliveries.ts';
import { type ClaimedJob, type DeliveryJob, laneOf } from '../queue/job.ts';
import { createShares, type Shares, weights } from '../queue/shares.ts';

export interface LaneTurns {
  /** The lanes that this process knows. */
  lanes: () => Iterable<string>;
  /** Whether a lane had jobs at the last claim. */
  isBusy: (lane: string) => boolean;
  /** Notes which lanes have jobs; returns whether one of them is new: no claim has asked for its jobs. */
  remember: (lanes: readonly string[]) => boolean;
  /** What a claim must know of lanes that can take messages; `rooms`: how many each. */
  asOpenLanes: (rooms: ReadonlyMap<string, number>) => OpenLane[];
  /** Counts claimed jobs, and what they leave of the rooms: of a job that exceeds its room, only what fits. */
  count: (jobs: readonly ClaimedJob<DeliveryJob>[], rooms: Map<string, number>) => void;
}

interface Turns {
  priorities: Shares<Priority>;
  teams: Record<Priority, Shares<string>>;
  lastTeam: Partial<Record<Priority, string>>;
}

const priorities = [0, 1, 2] as const;
/** Lanes that claims ask for jobs although they had none at the last claim. */
const lanesRemembered = 32;
const teamsRemembered = 100;

export function createLaneTurns(): LaneTurns {
  const turns = new Map<string, Turns>();
  let busy: ReadonlySet<string> = new Set();

  const turnsOf = (lane: string): Turns => {
    const own = turns.get(lane) ?? createTurns();
    // Moves it to the end: the lane that was not used for the longest time is forgotten first.
    turns.delete(lane);
    turns.set(lane, own);
    return own;
  };

  return {
    lanes: () => turns.keys(),
    isBusy: (lane) => busy.has(lane),
    remember: (lanes) => {
      const isNew = lanes.some((lane) => !turns.has(lane));
      busy = new Set(lanes);
      for (const lane of lanes) turnsOf(lane);
      for (const lane of turns.keys())
        if (turns.size > lanesRemembered && !busy.has(lane)) turns.delete(lane);
      return isNew;
    },
    asOpenLanes: (rooms) =>
      [...rooms].flatMap(([lane, room]) =>
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
      ),
    count: (jobs, rooms) => {
      for (const { data } of jobs) {
        const lane = laneOf(data);
        const left = rooms.get(lane);
        if (left === undefined) continue;
        const own = turnsOf(lane);
        const fits = Math.min(data.messages, Math.max(left, 0));
        own.priorities.spend(data.priority, fits);
        own.teams[data.priority].spend(data.teamId, fits);
        own.lastTeam[data.priority] = data.teamId;
        rooms.set(lane, left - fits);
      }
    },
  };
}

function createTurns(): Turns {
  const teams = () => createShares<string>(() => 1, teamsRemembered);
  return {
    priorities: createShares((priority) => weights[priority], priorities.length),
    teams: { 0: teams(), 1: teams(), 2: teams() },
    lastTeam: {},
  };
}
