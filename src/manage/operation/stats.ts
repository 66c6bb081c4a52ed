/** Counts messages and their outcomes for operators. */
import { requireNone } from '../../errors/management.ts';
import type { Management } from '../management.ts';
import { listedTeam } from '../resource.ts';
import { choiceFaults, periodFaults } from '../rules.ts';
import { countOutcomes, type Dimension, dimensionNames, type Outcomes } from './stats-repository.ts';

export type { Dimension, Outcomes };
export { dimensionNames };

const dayMs = 24 * 3600 * 1000;

export interface StatsQuery {
  by: Dimension;
  team?: string | undefined;
  /** The last 24 hours if omitted. */
  from?: Date | undefined;
  to?: Date | undefined;
}

export async function readStats(
  management: Management,
  { by, team, to = new Date(management.clock.now()), from = new Date(to.getTime() - dayMs) }: StatsQuery,
): Promise<Outcomes[]> {
  requireNone([...choiceFaults('by', by, dimensionNames), ...periodFaults(from, to)]);
  return countOutcomes(management.knex, { by, team: await listedTeam(management, team), from, to });
}
