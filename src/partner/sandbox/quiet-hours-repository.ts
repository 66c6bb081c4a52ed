/** Enables quiet hours by country. */
import type { Knex } from 'knex';

/** Returns whether anything changed. */
export async function enableQuietHours(knex: Knex, countries: readonly string[]): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `update quiet_hours set enabled = not enabled where enabled <> (country = any(?::text[])) returning 1`,
    [[...countries]],
  );
  return rows.length > 0;
}
