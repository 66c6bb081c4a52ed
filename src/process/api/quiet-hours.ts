/** The quiet hours as they are now. */
import { cached } from '../../platform/concurrency/cache.ts';
import { loadQuietHours } from '../../products/quiet-hours/repository.ts';
import { createFindOpening, type FindOpening } from '../../products/quiet-hours/windows.ts';
import { countryOf, zonesOf } from '../../products/quiet-hours/zones.ts';
import { factsLifetimeMs, type ProcessContext } from '../context.ts';

/** At most two seconds old. */
export function createQuietHours({
  clock,
  database: { knex },
}: Pick<ProcessContext, 'clock'> & {
  database: Pick<ProcessContext['database'], 'knex'>;
}): () => Promise<FindOpening> {
  const load = async () => createFindOpening(await loadQuietHours(knex), countryOf, zonesOf);
  return cached(load, { lifetimeMs: factsLifetimeMs, limitEntries: 1, clock });
}
