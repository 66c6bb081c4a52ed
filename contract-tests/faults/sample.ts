/** Draws plans of every life, so that faults and boundaries are struck about equally often. */
import { faults } from './kinds/faults.ts';
import type { Life, Plan } from './lives/life.ts';
import { wordsOf } from './run.ts';

export interface Planned {
  life: Life;
  plans: Plan[];
}

/**
 * So many plans of each life, and those that it always has. Faults and boundaries that were drawn least are drawn next: what
 * all lives cross, such as the statements that accept a message, would be most of the sample.
 */
export function drawn(mixed: readonly Planned[], ofLife: number): Planned[] {
  const [faultCounts, placeCounts] = [new Counts(), new Counts()];
  const left = new Map(Map.groupBy(mixed, ({ life }) => life));
  const sample: Planned[] = [];
  const take = (planned: Planned) => {
    faultCounts.add(faultOf(planned));
    placeCounts.add(placeOf(planned));
    sample.push(planned);
  };
  for (const [life, own] of left) {
    const always = own.filter(({ plans }) => life.always?.test(wordsOf(plans)));
    if (life.always !== undefined && always.length === 0)
      throw new Error(`${life.name} has no plan like ${life.always}`);
    always.forEach(take);
    left.set(
      life,
      own.filter((planned) => !always.includes(planned)),
    );
  }
  for (let round = 0; round < ofLife; round += 1)
    for (const [life, own] of left) {
      const rank = (planned: Planned) =>
        faultCounts.of(faultOf(planned)) * mixed.length + placeCounts.of(placeOf(planned));
      const next = least(own, rank);
      if (next === undefined) continue;
      take(next);
      left.set(
        life,
        own.filter((planned) => planned !== next),
      );
    }
  const never = faults.filter(
    ({ name }) => mixed.some((one) => faultOf(one) === name) && faultCounts.of(name) === 0,
  );
  if (never.length > 0) throw new Error(`the sample is too small for ${never.map(({ name }) => name)}`);
  return sample;
}

export const faultOf = ({ plans }: Planned): string => plans[0]?.fault ?? '';

/** Whatever the life, and however often it was crossed before. */
export function placeOf({ plans: [plan] }: Planned): string {
  return plan === undefined ? '' : `${plan.boundary.kind} ${plan.boundary.key}`;
}

/** The first of those with the lowest rank. */
function least<Item>(items: readonly Item[], rank: (item: Item) => number): Item | undefined {
  let found: { item: Item; rank: number } | undefined;
  for (const item of items) {
    const own = rank(item);
    if (found === undefined || own < found.rank) found = { item, rank: own };
  }
  return found?.item;
}

/** How often something was. */
export class Counts {
  private readonly counts = new Map<string, number>();

  of(what: string): number {
    return this.counts.get(what) ?? 0;
  }

  /** Returns how often that was. */
  add(what: string): number {
    this.counts.set(what, this.of(what) + 1);
    return this.of(what);
  }
}
