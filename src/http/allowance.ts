/** Limits the work that each team or address may cause: a burst, then a rate per second. */
import type { Stopwatch } from '../platform/clock.ts';

export interface Allowance {
  /** Whole seconds until `holder` may cause work again; 0: now. */
  waitSeconds: (holder: string) => number;
  spend: (holder: string, amount: number) => void;
}

interface Debt {
  amount: number;
  sinceMs: number;
}

const holdersRemembered = 10_000;

export function createAllowance(
  { burst, perSecond }: { burst: number; perSecond: number },
  clock: Stopwatch,
): Allowance {
  // A Map iterates in order of insertion: its first key is the one that spent nothing for the longest time.
  const debts = new Map<string, Debt>();
  const owed = (holder: string): number => {
    const debt = debts.get(holder);
    if (debt === undefined) return 0;
    return Math.max(0, debt.amount - ((clock.elapsedMs() - debt.sinceMs) / 1000) * perSecond);
  };
  return {
    waitSeconds: (holder) => Math.max(0, Math.ceil((owed(holder) - burst) / perSecond)),
    spend: (holder, amount) => {
      // However much was spent, the wait is no longer than the burst takes to refill.
      const total = Math.min(owed(holder) + amount, 2 * burst);
      debts.delete(holder);
      const [longest] = debts.keys();
      if (debts.size >= holdersRemembered && longest !== undefined) debts.delete(longest);
      debts.set(holder, { amount: total, sinceMs: clock.elapsedMs() });
    },
  };
}
