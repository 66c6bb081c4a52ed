/** The guard against SMS pumping: counts the codes of teams that have one, and refuses those beyond the limit of a place. */
import type { Accepted, Plan } from '../../model/plan.ts';
import { createBatcher } from '../../platform/concurrency/group-commit.ts';
import { errors, type Rejection } from '../../platform/errors.ts';
import { placesOf } from '../../products/phone/places.ts';
import type { Command, Rules } from '../../products/rules.ts';
import type { Taken } from '../intake.ts';
import type { OwnLimit } from '../limits/own-limits.ts';
import { type Codes, type Counted, judgeCodes, type Rooms } from './rule.ts';

type Commit<A extends Accepted> = (plan: Plan<A>) => Promise<Taken<A>>;

export interface CodeGuard {
  /** Commits the plan, its codes counted. Rejects with 429 where the guard refuses; nothing is committed then. */
  counted: <A extends Accepted>(
    plan: Plan<A>,
    limits: readonly OwnLimit[],
    commit: Commit<A>,
  ) => Promise<Taken<A>>;
}

/** What the guard of the team does. */
export const guardOf = (limits: readonly OwnLimit[]) =>
  limits.find(({ holder }) => holder === 'team')?.guard ?? 'Off';

/** Of a plan: the number of each code. */
const codesOf = ({ category, confirmation, messages }: Plan) =>
  category === 'AUTHENTICATION' && confirmation === undefined ? messages.map(({ phone }) => phone) : [];

export interface CodeCounts {
  /** In the order of the requests. */
  count: (requests: readonly Codes[]) => Promise<Counted[]>;
  /** Takes a request out that was not accepted. */
  uncount: (requestId: string) => Promise<void>;
}

export function createCodeGuard({ count, ...counts }: CodeCounts): CodeGuard {
  const batcher = createBatcher<Codes, Counted>(count, ({ phones }) => phones.length, {
    concurrency: 1,
    maxItems: 128,
    maxWeight: 800,
  });
  const commitCounted = async <A extends Accepted>(plan: Plan<A>, codes: Codes, commit: Commit<A>) => {
    const { requestId, guard } = codes;
    const { over, seconds } = await batcher.submit(codes);
    if (guard === 'Refuse' && over.length > 0) throw errors.codesUnconfirmed(over, seconds);
    // Codes that stay counted although they were not sent make the limit stricter for a day, and nothing else.
    const uncount = () => counts.uncount(requestId).catch(() => {});
    try {
      const taken = await commit(plan);
      if (taken.replayed) await uncount();
      return taken;
    } catch (error) {
      await uncount();
      throw error;
    }
  };
  return {
    counted: (plan, limits, commit) => {
      const guard = guardOf(limits);
      const phones = guard === 'Off' ? [] : codesOf(plan);
      if (phones.length === 0) return commit(plan);
      const { teamId, accepted } = plan;
      return commitCounted(plan, { requestId: accepted.requestId, teamId, guard, phones }, commit);
    },
  };
}

/** The rules of a product; those of a preview refuse a code to a place that may get none. */
export function withRooms<C extends Command, Facts, Admitted, A extends Accepted>(
  rules: Rules<C, Facts, Admitted, A>,
  found: Rooms | undefined,
): Rules<C, Facts, Admitted, A> {
  if (found === undefined) return rules;
  return {
    ...rules,
    plan: (asked, admitted) => {
      const plan = rules.plan(asked, admitted);
      const over = codesOf(plan).filter((phone) =>
        placesOf(phone).some((place) => (found.rooms.get(place) ?? 1) < 1),
      );
      if (over.length > 0) throw errors.codesUnconfirmed(over, found.seconds);
      return plan;
    },
  };
}

/** What refuses all codes of a plan together, each of which would be sent alone; undefined: nothing. */
export function overTogether(plan: Plan, found: Rooms | undefined): Rejection | undefined {
  if (found === undefined) return undefined;
  const { over } = judgeCodes(codesOf(plan), 'Refuse', new Map(found.rooms));
  return over.length > 0 ? errors.codesUnconfirmed(over, found.seconds) : undefined;
}
