/** Keeps teams. */
import type { Knex } from 'knex';
import { insertNew } from '../db/insert.ts';

/** False when the id is taken. */
export async function insertTeam(knex: Knex, id: string, name: string): Promise<boolean> {
  return insertNew(knex, 'teams', { id, name });
}

export async function teamExists(knex: Knex, id: string): Promise<boolean> {
  return (await knex('teams').where({ id }).first('id')) !== undefined;
}

/** In the order of their ids. */
export async function listTeams(
  knex: Knex,
): Promise<{ team: string; name: string; clients: number; services: number }[]> {
  const { rows } = await knex.raw(
    `select id as team, name,
       (select count(*)::integer from clients where team_id = teams.id) as clients,
       (select count(*)::integer from services where team_id = teams.id) as services
     from teams order by id`,
  );
  return rows;
}
