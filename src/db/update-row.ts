/** Updates the given columns of a row. */
import type { Knex } from 'knex';

/** Columns that are undefined stay. */
export async function updateRow(
  knex: Knex,
  table: string,
  key: Readonly<Record<string, string>>,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  if (given.length > 0) await knex(table).where(key).update(Object.fromEntries(given));
}
