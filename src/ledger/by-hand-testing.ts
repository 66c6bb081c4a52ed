/** Changes what the database protects, as somebody can who may change tables. */
import type { Knex } from 'knex';

/** Runs the statement while rows of the table may be changed and deleted. */
export async function byHand(
  knex: Knex,
  statement: string,
  table: 'ledger_entries' | 'ledger_seals' = 'ledger_entries',
): Promise<void> {
  await knex.raw(`alter table ${table} disable trigger user`);
  await knex.raw(statement);
  await knex.raw(`alter table ${table} enable trigger user`);
}
