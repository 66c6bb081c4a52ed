/** What a team and its client may send: where to, how many units in a day and a month, and how many codes that nobody confirms. */
import type { Accepted, Cap, Plan } from '../../model/plan.ts';
import { type Destinations, requireDestinations } from '../../products/destinations.ts';
import type { Command, Rules } from '../../products/rules.ts';
import type { PumpingGuard } from '../codes/rule.ts';

/** Units in a day and in a month, both of UTC. */
export interface Caps {
  day?: number;
  month?: number;
}

/** Of one holder: a team, or a client of it. */
export interface OwnLimit {
  holder: Cap['holder'];
  id: string;
  caps: Caps;
  destinations: Destinations;
  /** Of a team; a client has `Off`. */
  guard: PumpingGuard;
}

/** The rules of a product within these limits: destinations are checked last, and caps when the plan is committed. */
export function within<C extends Command, Facts, Admitted, A extends Accepted>(
  rules: Rules<C, Facts, Admitted, A>,
  limits: readonly OwnLimit[],
): Rules<C, Facts, Admitted, A> {
  if (limits.length === 0) return rules;
  const caps = capsOf(limits);
  const places = limits.map(({ destinations }) => destinations);
  return {
    ...rules,
    plan: (asked, admitted): Plan<A> => {
      const plan = rules.plan(asked, admitted);
      requireDestinations([...new Set(plan.messages.map(({ phone }) => phone))], places);
      return caps.length === 0 ? plan : { ...plan, caps };
    },
  };
}

function capsOf(limits: readonly OwnLimit[]): Cap[] {
  return limits.flatMap(({ holder, id, caps }) =>
    (['day', 'month'] as const).flatMap((period) => {
      const most = caps[period];
      return most === undefined ? [] : [{ holder, id, period, most }];
    }),
  );
}
