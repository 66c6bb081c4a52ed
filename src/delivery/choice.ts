/** Chooses which connector a lot goes through, of those that the routes of its lane name. */
import type { Connector } from '../connectors/contract/connector.ts';
import { createSlowDown } from '../connectors/runtime/slow-down.ts';
import type { Route } from '../model/route.ts';
import { systemClock } from '../platform/clock.ts';
import { type Group, laneOf } from '../queue/job.ts';
import { createShares, type Shares } from '../queue/shares.ts';

/**
 * A connector that messages may go through; without `connector` it can take none now, for this reason. `soon`: it will, or
 * another process's does.
 */
export type Candidate = { name: string; weight: number } & (
  | { connector: Connector; reason?: undefined; soon?: undefined }
  | { connector?: undefined; reason: string; soon?: boolean }
);

/** What the messages of a lane may go through now. */
export interface Ways {
  /** Of a step any may take them, by weight; a later step counts while none of the earlier ones takes messages. */
  steps: readonly (readonly Candidate[])[];
  /** Where they move on to when one refuses them; absent: nowhere. */
  route?: Route | undefined;
}

/** `unmatched`: the routes of their channel have yet to be asked, or have changed since. */
export type WaysOf = (group: Group) => Promise<Ways | 'unmatched'>;

/** The connector of a lot. */
export interface Through {
  name: string;
  connector: Connector;
  route?: Route | undefined;
  /** Those before it that take no messages, and why. */
  passed: readonly { connector: string; reason: string }[];
  /** Whether another connector might take its messages. */
  hasOthers: boolean;
}

export interface Choice {
  /** Undefined: none takes messages, or has room. */
  through: (group: Group, ways: Ways, hasRoom: (name: string) => boolean) => Through | undefined;
  /** Counts what a connector of a lane got. */
  spend: (lane: string, name: string, messages: number) => void;
  /** What came of a lot: a connector that took none of its messages rests, while another takes them. */
  learn: (name: string, took: boolean) => void;
}

const takesNone = 'it took no messages';
const lanesRemembered = 200;
const restSeconds = { firstSeconds: 5, factor: 2, limitSeconds: 60 };

export function createChoice(): Choice {
  const rests = createSlowDown(restSeconds, systemClock);
  const shares = new Map<string, Shares<string>>();

  const sharesOf = (lane: string, all: readonly Candidate[]): Shares<string> => {
    const weights = new Map(all.map(({ name, weight }) => [name, weight]));
    const own = shares.get(lane) ?? createShares((name) => weights.get(name) ?? 1, all.length);
    // Moves it to the end: the lane that was not used for the longest time is forgotten first.
    shares.delete(lane);
    shares.set(lane, own);
    for (const oldest of shares.keys()) if (shares.size > lanesRemembered) shares.delete(oldest);
    return own;
  };

  /** `busy`: those that take messages have no room. `none`: none takes messages. */
  const choose = (
    lane: string,
    { steps, route }: Ways,
    hasRoom: (name: string) => boolean,
    reasonOf: (candidate: Candidate) => string | undefined,
  ): Through | 'busy' | 'none' => {
    const all = steps.flat();
    const passed: { connector: string; reason: string }[] = [];
    for (const step of steps) {
      const open = step.filter((one) => reasonOf(one) === undefined);
      const free = open.filter(({ name }) => hasRoom(name));
      const ahead = free.length > 1 ? sharesOf(lane, all).ahead : () => 0;
      const [first] = free.sort((one, other) => ahead(one.name) - ahead(other.name));
      if (first?.connector !== undefined) {
        const { name, connector } = first;
        return { name, connector, route, passed, hasOthers: all.length > 1 };
      }
      if (open.length > 0 || step.some(({ soon }) => soon)) return 'busy';
      passed.push(...step.map((one) => ({ connector: one.name, reason: reasonOf(one) ?? '' })));
    }
    return 'none';
  };

  return {
    through: (group, ways, hasRoom) => {
      const lane = laneOf(group);
      const rested = choose(
        lane,
        ways,
        hasRoom,
        ({ name, reason }) => reason ?? (rests.wait(name) > 0 ? takesNone : undefined),
      );
      const found = rested === 'none' ? choose(lane, ways, hasRoom, ({ reason }) => reason) : rested;
      return typeof found === 'string' ? undefined : found;
    },
    spend: (lane, name, messages) => shares.get(lane)?.spend(name, messages),
    learn: (name, took) => {
      if (took) rests.works(name);
      else rests.slower(name);
    },
  };
}
