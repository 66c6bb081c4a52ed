/** Separates the plans of accounts and caps that recently lacked units, so that rejecting them does not slow others down. */

import type { Plan } from '../model/plan.ts';
import type { Stopwatch } from '../platform/clock.ts';
import { createExpiringMap } from '../platform/concurrency/expiring-map.ts';
import type { Batcher } from '../platform/concurrency/group-commit.ts';
import { capKey } from './caps.ts';
import type { Outcome } from './commit.ts';
import { debitsOf } from './commit-statement.ts';

/** How long an account is kept apart after it was short. */
const shortMemoryMs = 10_000;
const accountsRemembered = 10_000;

/**
 * Submits plans to `common`, but those of accounts that were short moments ago to `apart`: in a common batch the
 * first plan that cannot pay undoes the work for all others. The memory only selects the batch, and never rejects a
 * plan: an account that was topped up is accepted.
 */
export function createRouter(
  { common, apart }: Record<'common' | 'apart', Pick<Batcher<Plan, Outcome>, 'submit'>>,
  stopwatch: Stopwatch,
): (plan: Plan) => Promise<Outcome> {
  const short = createExpiringMap<true>(accountsRemembered, stopwatch);
  return async (plan) => {
    const asked = [...debitsOf([plan]).keys(), ...(plan.caps ?? []).map(capKey)];
    const poor = asked.some((one) => short.get(one));
    const outcome = await (poor ? apart : common).submit(plan);
    if (typeof outcome === 'object')
      short.set('short' in outcome ? outcome.short : capKey(outcome.capped), true, shortMemoryMs);
    return outcome;
  };
}
