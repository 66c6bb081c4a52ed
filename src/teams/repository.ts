/** Stores teams. */
import type { Knex } from 'knex';
import { insertNew } from '../db/insert.ts';
import { updateRow } from '../db/update-row.ts';

export interface Team {
  id: string;
  name: string;
  /** Recipients per second in each operation; null: what the settings say. */
  ratePerSecond: number | null;
  /** Recipients or calls per second by operationId, instead of any other limit for the team. */
  operationRates: Readonly<Record<string, number>>;
  /** How many days texts, receipts and phone numbers are kept, if fewer than the settings say; null: as they say. */
  textDays: number | null;
  receiptDays: number | null;
  numberDays: number | null;
  createdAt: Date;
}

/** False when the id is taken. */
export async function insertTeam(knex: Knex, id: string, name: string): Promise<boolean> {
  return insertNew(knex, 'teams', { id, name });
}

export async function findTeam(knex: Knex, id: string): Promise<Team | undefined> {
  return knex('teams')
    .where({ id })
    .first(
      'id',
      'name',
      'rate_per_second as ratePerSecond',
      'operation_rates as operationRates',
      'text_days as textDays',
      'receipt_days as receiptDays',
      'number_days as numberDays',
      'created_at as createdAt',
    );
}

export type TeamChange = { [Name in Exclude<keyof Team, 'id' | 'createdAt'>]: Team[Name] | undefined };

/** What is undefined stays. */
export async function updateTeam(knex: Knex, id: string, change: TeamChange): Promise<void> {
  const { name, ratePerSecond, operationRates, textDays, receiptDays, numberDays } = change;
  await updateRow(
    knex,
    'teams',
    { id },
    {
      name,
      rate_per_second: ratePerSecond,
      operation_rates: operationRates && JSON.stringify(operationRates),
      text_days: textDays,
      receipt_days: receiptDays,
      number_days: numberDays,
    },
  );
}

export interface CountedTeam extends Team {
  clients: number;
  /** SMS services. */
  services: number;
}

/** In the order of their ids. */
export async function listTeams(
  knex: Knex,
  { id, after, limit }: { id: string | undefined; after: string | undefined; limit: number | undefined },
): Promise<CountedTeam[]> {
  const { rows } = await knex.raw<{ rows: CountedTeam[] }>(
    `select id, name, rate_per_second as "ratePerSecond", operation_rates as "operationRates", text_days as "textDays", receipt_days as "receiptDays",
       number_days as "numberDays", created_at as "createdAt",
       (select count(*)::integer from clients where team_id = teams.id) as clients,
       (select count(*)::integer from services where team_id = teams.id) as services
     from teams
     where (:id::text is null or id = :id) and (:after::text is null or id > :after)
     order by id limit :limit`,
    { id: id ?? null, after: after ?? null, limit: limit ?? null },
  );
  return rows;
}
