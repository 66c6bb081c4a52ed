/** What plans add to the caps of their team and client, and how a cap refuses one. */
import type { Cap, Plan, PlannedMessage } from '../model/plan.ts';
import { errors } from '../platform/errors.ts';

/** A cap that a plan would exceed; nothing of the plan was stored. */
export interface CapReached extends Cap {
  /** Until the next period begins. */
  seconds: number;
}

/** What plans add to caps, as rows. */
export interface CapUse extends Cap {
  units: number;
}

export const capReached = ({ holder, period, most, seconds }: CapReached) =>
  errors.capReached(holder, period, most, seconds);

export const unitsOfAll = (messages: readonly PlannedMessage[]) =>
  messages.reduce((sum, message) => sum + message.units, 0);

export const capKey = ({ holder, id, period }: Cap) => `${period} ${holder} ${id}`;

export function capUsesOf(plans: readonly Plan[]): CapUse[] {
  const uses = new Map<string, CapUse>();
  for (const plan of plans) {
    if (plan.caps === undefined) continue;
    const units = unitsOfAll(plan.messages);
    if (units === 0) continue;
    for (const cap of plan.caps) {
      const before = uses.get(capKey(cap));
      // Of two plans one may have read an older limit: the lower one counts.
      if (before === undefined) uses.set(capKey(cap), { ...cap, units });
      else
        uses.set(capKey(cap), {
          ...before,
          units: before.units + units,
          most: Math.min(before.most, cap.most),
        });
    }
  }
  return [...uses.values()];
}
