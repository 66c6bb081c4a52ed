/** Finds messages that wait for a job that is gone, such as one that could not be read: nobody will submit them. */
import type { Knex } from 'knex';
import type { Product } from '../intake/plan.ts';

/**
 * Those of the messages that no delivery job names and no item in quarantine is about. Jobs of a lane are read once for
 * all of them, so this is for messages that have been unfinished for so long that there are few.
 */
export async function findLost(
  trx: Knex.Transaction,
  messageIds: readonly string[],
): Promise<{ messageId: string; product: Product }[]> {
  const { rows } = await trx.raw(
    `with queued as materialized (
       select id, product, request_id, product || ' ' || channel as lane from messages m
       where id = any(:ids::bigint[]) and state = 'Queued'
         and not exists (select from quarantine where message_id = m.id)
     ), waiting as materialized (
       -- A job that cannot be read is about to leave the queue.
       select j.lane, lower(named.id) as request_id from jobs j cross join lateral json_array_elements_text(
         case json_typeof(j.data -> 'requestIds') when 'array' then j.data -> 'requestIds' else '[]' end
       ) as named(id)
       where j.queue = 'deliver' and j.lane = any(array(select lane from queued))
     )
     select id as "messageId", product from queued q
     where not exists (select from waiting w where w.lane = q.lane and w.request_id = q.request_id::text)
     order by id`,
    { ids: [...messageIds] },
  );
  return rows;
}
