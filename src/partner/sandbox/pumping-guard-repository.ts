/** Sets the guard against SMS pumping of all teams. */
import type { Knex } from 'knex';

/** Returns whether anything changed. */
export async function setPumpingGuard(knex: Knex, guard: 'Off' | 'Record' | 'Refuse'): Promise<boolean> {
  return (await knex('teams').whereNot({ pumping_guard: guard }).update({ pumping_guard: guard })) > 0;
}
