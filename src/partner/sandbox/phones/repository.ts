/** Finds what a phone writes to, and has its messages posted where a test wants them. */
import type { Knex } from 'knex';
import type { InboundProduct } from '../../../inbound/message.ts';

/** Where a message to a service goes. */
export interface Destination {
  connector: string;
  product: InboundProduct;
  to: string;
}

/** Undefined: there is no such service, or it has no number. */
export async function findDestination(knex: Knex, serviceId: string): Promise<Destination | undefined> {
  const { rows } = await knex.raw<{ rows: Destination[] }>(
    `select 'simulator' as connector, 'sms' as product, sender as to from services where id = :serviceId
     union all (select connector, 'chatapp', phone from chatapp_numbers where service_id = :serviceId order by id limit 1)
     limit 1`,
    { serviceId },
  );
  return rows[0];
}

export async function postTo(
  knex: Knex,
  { product }: Destination,
  serviceId: string,
  url: string,
): Promise<void> {
  const table = product === 'sms' ? 'services' : 'chatapp_services';
  await knex(table).where({ id: serviceId }).update({ inbound_callback_url: url });
}
