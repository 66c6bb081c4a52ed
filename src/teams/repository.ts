/** Stores teams. */
import type { Knex } from 'knex';
import { insertNew } from '../db/insert.ts';

/** False when the id is taken. */
export async function insertTeam(knex: Knex, id: string, name: string): Promise<boolean> {
  return insertNew(knex, 'teams', { id, name });
}

export async function teamExists(knex: Knex, id: string): Promise<boolean> {
  return (await knex('teams').where({ id }).first('id')) !== undefined;
}

/** What is undefined stays. Answers the team as it is then; undefined when there is none. */
export async function updateTeam(
  knex: Knex,
  id: string,
  { name, ratePerSecond }: { name: string | undefined; ratePerSecond: number | null | undefined },
): Promise<{ name: string; ratePerSecond: number | null } | undefined> {
  const [changed] = await knex('teams')
    .where({ id })
    .update({ name, rate_per_second: ratePerSecond })
    .returning(['name', 'rate_per_second as ratePerSecond']);
  return changed;
}

/** In the order of their ids. */
export async function listTeams(
  knex: Knex,
): Promise<{ team: string; name: string; rate: number | null; clients: number; services: number }[]> {
  const { rows } = await knex.raw(
    `select id as team, name, rate_per_second as rate,
       (select count(*)::integer from clients where team_id = teams.id) as clients,
       (select count(*)::integer from services where team_id = teams.id) as services
     from teams order by id`,
  );
  return rows;
}
