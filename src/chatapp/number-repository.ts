/** Stores the phone numbers that send chat-app messages. */
import type { Knex } from 'knex';
import { updateRow } from '../db/update-row.ts';
import type { SenderNumber } from './facts.ts';

export interface StoredNumber extends SenderNumber {
  serviceId: string;
  connector: string;
}

/** With the team of its service. */
export type NumberOfTeam = StoredNumber & { teamId: string; createdAt: Date };

export interface NumberFilter {
  teamId?: string | undefined;
  /** Begin after this id, in the order of ids. */
  after?: string | undefined;
  limit?: number | undefined;
  id?: string | undefined;
}

/** All in the order of services and ids; a page in the order of ids. */
export async function listNumbers(
  knex: Knex,
  { teamId, after, limit, id }: NumberFilter,
): Promise<NumberOfTeam[]> {
  return knex('chatapp_numbers as n')
    .join('chatapp_services as s', 's.id', 'n.service_id')
    .modify((query) => {
      if (teamId !== undefined) query.where('s.team_id', teamId);
      if (id !== undefined) query.where('n.id', id);
      if (after !== undefined) query.where('n.id', '>', after);
      if (limit !== undefined) query.limit(limit);
    })
    .orderBy(limit === undefined && after === undefined ? ['n.service_id', 'n.id'] : ['n.id'])
    .select(
      'n.id',
      's.team_id as teamId',
      'n.service_id as serviceId',
      'n.phone',
      'n.connector',
      'n.created_at as createdAt',
    );
}

export async function findNumber(knex: Knex, id: string): Promise<NumberOfTeam | undefined> {
  const [found] = await listNumbers(knex, { id });
  return found;
}

/** False when the id is taken or the service does not exist. */
export async function insertNumber(knex: Knex, number: StoredNumber): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: unknown[] }>(
    `insert into chatapp_numbers (id, service_id, phone, connector)
     select :id, id, :phone, :connector from chatapp_services where id = :serviceId
     on conflict do nothing returning 1`,
    { ...number },
  );
  return rows.length > 0;
}

/** What is undefined stays. */
export async function updateNumber(
  knex: Knex,
  id: string,
  { phone, connector }: { [Name in 'phone' | 'connector']: StoredNumber[Name] | undefined },
): Promise<void> {
  await updateRow(knex, 'chatapp_numbers', { id }, { phone, connector });
}
