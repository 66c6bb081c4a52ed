/** Inserts rows that may already exist. */
import type { Knex } from 'knex';

/** False, with nothing changed, when the table has a row with this key. */
export async function insertNew(
  knex: Knex,
  table: string,
  row: Readonly<Record<string, unknown>>,
  key = 'id',
): Promise<boolean> {
  const inserted = await knex(table).insert(row).onConflict(key).ignore().returning(key);
  return inserted.length > 0;
}
