/** Finds out which messages wait for the end of quiet hours. */
import type { HandOverDependencies } from '../../delivery/hand-over.ts';
import { cached } from '../../platform/concurrency/cache.ts';
import { loadQuietHours } from '../../products/quiet-hours/repository.ts';
import { createFindOpening } from '../../products/quiet-hours/windows.ts';
import { countryOf, zonesOf } from '../../products/quiet-hours/zones.ts';
import { factsLifetimeMs, type ProcessContext } from '../context.ts';

/** Promotional texts wait; bundles, notices and one-time codes never do. */
export function createFindOpenings({
  clock,
  database: { knex },
}: Pick<ProcessContext, 'clock' | 'database'>): HandOverDependencies['findOpenings'] {
  const finder = cached(async () => createFindOpening(await loadQuietHours(knex), countryOf, zonesOf), {
    lifetimeMs: factsLifetimeMs,
    limitEntries: 1,
    clock,
  });
  return async (messages) => {
    const promotional = messages.filter(
      ({ category, product }) => category === 'MARKETING' && product !== 'data',
    );
    if (promotional.length === 0) return new Map();
    const find = await finder();
    const nowMs = clock.now();
    return new Map(
      promotional.flatMap(({ id, phone }) => {
        const opensMs = find(phone, nowMs);
        return opensMs === undefined ? [] : [[id, new Date(opensMs)] as const];
      }),
    );
  };
}
