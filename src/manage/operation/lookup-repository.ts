/** Finds the teams that own requests, receipts and messages. */
import type { Knex } from 'knex';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export async function teamOfRequest(knex: Knex, id: string): Promise<string | undefined> {
  return uuid.test(id) ? (await knex('requests').where({ id }).first('team_id'))?.team_id : undefined;
}

export async function teamOfReceipt(knex: Knex, id: string): Promise<string | undefined> {
  return uuid.test(id) ? (await knex('receipts').where({ id }).first('team_id'))?.team_id : undefined;
}

/** One look into an index for each team, however many messages there are. */
export async function teamsWithMessagesTo(knex: Knex, phone: string): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { id: string }[] }>(
    `select id from teams
     where exists (select from messages where team_id = teams.id and phone = ?) order by id`,
    [phone],
  );
  return rows.map(({ id }) => id);
}
