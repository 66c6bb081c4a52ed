/** Stores the phone numbers that send chat-app messages. */
import type { Knex } from 'knex';
import type { SenderNumber } from './facts.ts';

export interface StoredNumber extends SenderNumber {
  serviceId: string;
  connector: string;
}

export async function listNumbers(knex: Knex): Promise<StoredNumber[]> {
  const { rows } = await knex.raw<{ rows: StoredNumber[] }>(
    `select id, service_id as "serviceId", phone, connector from chatapp_numbers order by service_id, id`,
  );
  return rows;
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

/** False when there is no such number. */
export async function updateNumber(
  knex: Knex,
  id: string,
  change: Partial<Pick<StoredNumber, 'phone' | 'connector'>>,
): Promise<boolean> {
  return (await knex('chatapp_numbers').where({ id }).update(change)) > 0;
}
