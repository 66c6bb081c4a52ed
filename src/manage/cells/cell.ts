/** Another cell: a deployment with a database of its own, the same SECRET_KEY and the same token keys. */
import type { Knex } from 'knex';
import { faults, ManagementError } from '../../platform/errors/management.ts';
import type { Management } from '../management.ts';

export type Cell = Pick<Management, 'knex' | 'secrets'>;

/** What tells databases apart. */
export async function databaseOf(knex: Knex): Promise<string> {
  return (await knex('archive').first('database')).database;
}

export function refuse(sentence: string): never {
  throw new ManagementError([faults.cell(sentence)]);
}

/** Rejects with a ManagementError if both are the same database, or have not had the same SECRET_KEYs. */
export async function requireSibling(here: Cell, there: Cell): Promise<void> {
  if ((await databaseOf(here.knex)) === (await databaseOf(there.knex)))
    refuse('the other database is the same as this one');
  const [ours, theirs] = await Promise.all([here, there].map(async (cell) => (await cell.secrets()).ring()));
  const idsOf = (ring: typeof ours) => ring?.keys.map(({ id }) => id).join(' ');
  if (idsOf(ours) !== idsOf(theirs) || ours?.active !== theirs?.active)
    refuse('the cells have had different SECRET_KEYs: run `npx tarishi cell keys` in the new one first');
}
