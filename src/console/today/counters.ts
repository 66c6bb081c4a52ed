/** How many things of each kind need somebody, beside their pages in the navigation. */
import type { Stopwatch } from '../../platform/clock.ts';
import { createExpiringMap } from '../../platform/concurrency/expiring-map.ts';
import type { Tone } from '../layout/parts.ts';
import type { PageContext } from '../page.ts';
import { needsBySection } from './needs.ts';
import { situationOf } from './situation.ts';

export interface Counter {
  count: number;
  tone: Tone;
}

/** By the path of the page. */
export type Counters = ReadonlyMap<string, Counter>;

const lifetimeMs = 20_000;
const mostReaders = 500;
const none: Counters = new Map();

/** Counted once for all readers of a team and role, however many pages they open. */
export function createCounters(clock: Stopwatch) {
  const counted = createExpiringMap<Promise<Counters>>(mostReaders, clock);
  return async (page: Pick<PageContext, 'api' | 'may' | 'reader'>): Promise<Counters> => {
    const key = JSON.stringify([page.reader.teamId, page.reader.role]);
    const known = counted.get(key);
    if (known !== undefined) return known;
    // A page is worth more than its counters.
    const counting = situationOf(page).then(needsBySection, () => none);
    counted.set(key, counting, lifetimeMs);
    return counting;
  };
}
