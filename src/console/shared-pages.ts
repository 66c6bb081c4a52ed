/** Makes a page that refreshes itself once in ten seconds for all who have it open, however many they are. */
import type { Stopwatch } from '../platform/clock.ts';
import { createExpiringMap } from '../platform/concurrency/expiring-map.ts';
import { Html } from './html.ts';
import type { Outcome, PageContext } from './page.ts';

/** Shorter than the time between two requests of one reader, who so gets a newer page each time. */
const lifetimeMs = 9_000;
/** The oldest makes room: whoever has it open has it made anew. */
const mostPages = 500;

/** In the place of each reader's own token. */
const anyToken = 'of whoever reads this';

export type MakePage<Made extends Outcome> = (session: PageContext['session']) => Promise<Made>;

/** `address`: the path with its query. The page must be the same for all of a team and role, but for the form token. */
export function createSharedPages(clock: Stopwatch) {
  const pages = createExpiringMap<Promise<Outcome>>(mostPages, clock);
  return async <Made extends Outcome>(
    { session, reader, times }: Pick<PageContext, 'session' | 'reader' | 'times'>,
    address: string,
    make: MakePage<Made>,
  ): Promise<Made> => {
    const key = JSON.stringify([reader.teamId, reader.role, times.zone, address]);
    const made = (pages.get(key) as Promise<Made> | undefined) ?? make({ ...session, formToken: anyToken });
    if (pages.get(key) === undefined) pages.set(key, made, lifetimeMs);
    // A page that cannot be made is not kept.
    made.catch(() => pages.drop(key, made));
    const outcome = await made;
    if (!('body' in outcome)) return outcome;
    return { ...outcome, body: new Html(outcome.body.text.replaceAll(anyToken, session.formToken)) };
  };
}
