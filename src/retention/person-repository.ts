/** Erases what people are called. That two names are one person's stays, as hashes: an opt-out under one holds under the other. */
import type { Knex } from 'knex';
import type { Periods } from './progress-repository.ts';

const batch = 500;

/** Names that were not shown for as long as numbers are kept. Returns whether more is due at once. */
export async function retainNames(knex: Knex, { numbers }: Periods): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `update person_names set name = null where name_hash = any(array(
       select name_hash from person_names where name is not null
         and seen_at < service_now() - ?::integer * interval '1 day' order by seen_at limit ${batch}
     )) returning 1`,
    [numbers],
  );
  return rows.length >= batch;
}

/** All names of the person who has this one, as far as they are kept, by their hashes. */
export async function findNames(knex: Knex, hash: string): Promise<{ hash: string; name: string | null }[]> {
  return knex('person_names as mine')
    .join('person_names as own', 'own.person', 'mine.person')
    .where('mine.name_hash', hash)
    .orderBy('own.name_hash')
    .select({ hash: 'own.name_hash' }, 'own.name');
}

export async function eraseNames(knex: Knex, hashes: readonly string[]): Promise<void> {
  await knex('person_names')
    .whereIn('name_hash', [...hashes])
    .update({ name: null });
}
