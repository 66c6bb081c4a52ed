/** Reads the names of a person in chat apps. */
import type { Knex } from 'knex';

/** Those that a network showed together with this one. */
export async function otherNamesOf(knex: Knex, name: string): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select other.name from person_names mine join person_names other on other.person = mine.person
     where mine.name = ? and other.name <> mine.name order by other.name limit 10`,
    [name],
  );
  return rows.map((row) => row.name);
}
