/** Makes a page that refreshes itself once in ten seconds for all who have it open, however many they are. */
import type { Stopwatch } from '../platform/clock.ts';
import { createExpiringMap } from '../platform/concurrency/expiring-map.ts';
import type { Outcome, PageContext } from './page.ts';

/** Shorter than the time between two requests of one reader, who so gets a newer page each time. */
const lifetimeMs = 9_000;
/** The oldest makes room: whoever has it open has it made anew. */
const mostPages = 500;

/** `address`: the path with its query. The page must be the same for all of a team and role. */
export function createSharedPages(clock: Stopwatch) {
  const pages = createExpiringMap<Promise<Outcome>>(mostPages, clock);
  return async <Made extends Outcome>(
    { reader, times }: Pick<PageContext, 'reader' | 'times'>,
    address: string,
    make: () => Promise<Made>,
  ): Promise<Made> => {
    const key = JSON.stringify([reader.teamId, reader.role, times.zone, address]);
    const made = (pages.get(key) as Promise<Made> | undefined) ?? make();
    if (pages.get(key) === undefined) pages.set(key, made, lifetimeMs);
    // A page that cannot be made is not kept.
    made.catch(() => pages.drop(key, made));
    return made;
  };
}
