/** Finds out which messages wait for the end of quiet hours. */
import { freshMs } from '../../delivery/fresh.ts';
import type { HandOverDependencies } from '../../delivery/hand-over.ts';
import { createQuietHours } from '../api/quiet-hours.ts';

/** Promotional texts wait; bundles, notices and one-time codes never do. */
export function createFindOpenings(
  context: Parameters<typeof createQuietHours>[0],
): HandOverDependencies['findOpenings'] {
  const { clock } = context;
  const finder = createQuietHours(context);
  return async (messages) => {
    const promotional = messages.filter(
      ({ category, product, quietHours }) => category === 'MARKETING' && product !== 'data' && quietHours,
    );
    if (promotional.length === 0) return new Map();
    const find = await finder();
    const nowMs = clock.now();
    return new Map(
      promotional.flatMap(({ id, phone, timeZone, sendAt }) => {
        // It was released by the database's clock, which may be ahead: its window has opened.
        const atMs = Math.max(nowMs, sendAt?.getTime() ?? 0);
        const zone = timeZone ?? undefined;
        // What may leave now may do so for a while yet.
        const opensMs = find(phone, atMs, zone) ?? find(phone, atMs + freshMs, zone);
        return opensMs === undefined ? [] : [[id, new Date(opensMs)] as const];
      }),
    );
  };
}
