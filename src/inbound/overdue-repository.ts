/** Texts of phones that should have been stored without the parts that never came. */
import type { Knex } from 'knex';
import { partsSeconds } from './parts-repository.ts';

export interface OverdueTexts {
  /** How many. */
  texts: number;
  /** For how long the first of them. */
  seconds: number;
}

export async function findOverdueTexts(knex: Knex): Promise<OverdueTexts> {
  const { rows } = await knex.raw<{ rows: OverdueTexts[] }>(
    `select count(distinct message_id)::float8 as texts,
       coalesce(extract(epoch from service_now() - min(received_at)) - :seconds, 0)::float8 as seconds
     from inbound_parts where octets is not null and received_at < service_now() - :seconds * interval '1 second'`,
    { seconds: partsSeconds },
  );
  return rows[0] ?? { texts: 0, seconds: 0 };
}
