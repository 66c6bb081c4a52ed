/** How often a phone number may get a bundle of a campaign, and the outcome of a repeat. */
import { ownReasons } from '../../model/words/told.ts';
import type { Frequency } from './campaign.ts';

/** The rolling window, as a PostgreSQL interval, in which a phone gets at most one bundle. */
export const windowOf: { [F in Frequency]: string | 'ever' | 'none' } = {
  OneTime: 'ever',
  Hourly: '1 hour',
  Daily: '1 day',
  Weekly: '7 days',
  BiWeekly: '14 days',
  Monthly: '1 month',
  Quarterly: '3 months',
  SemiAnnual: '6 months',
  Annual: '1 year',
  Unlimited: 'none',
};

/** A bundle's claim to its phone's grant. */
export type Grant =
  /** It may go. */
  | 'open'
  /** The phone had its bundle in this window. */
  | 'used'
  /** Another bundle of the campaign is on its way to the phone. */
  | 'claimed';

export const duplicated = {
  kind: 'rejected',
  state: 'Duplicated',
  reason: ownReasons.hadBundle,
} as const;

const longestWaitSeconds = 60;

type Decision = typeof duplicated | { kind: 'later'; delaySeconds: number };

const decisions: { [G in Grant]: (ageSeconds: number) => Decision | undefined } = {
  open: () => undefined,
  used: () => duplicated,
  // If the other one fails, this one is given. The longer that takes, the less often it is retried.
  claimed: (ageSeconds) => ({
    kind: 'later',
    delaySeconds: Math.min(longestWaitSeconds, Math.max(1, Math.ceil(ageSeconds / 4))),
  }),
};

/** Decisions about bundles at their hand-over, by id; those without one are submitted. */
export function decideByGrants(
  bundles: readonly { id: string; ageSeconds: number }[],
  grants: ReadonlyMap<string, Grant>,
): Map<string, Decision> {
  const decided = new Map<string, Decision>();
  for (const { id, ageSeconds } of bundles) {
    const decision = decisions[grants.get(id) ?? 'open'](ageSeconds);
    if (decision !== undefined) decided.set(id, decision);
  }
  return decided;
}
