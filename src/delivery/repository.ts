/** Reads the messages of delivery jobs that still wait to be handed over. */
import type { Knex } from 'knex';
import type { DeliveryJob } from './queue.ts';

/** A message that no network has yet. */
export interface QueuedMessage {
  id: string;
  requestId: string;
  channel: string;
  phone: string;
  text: string;
  sender: string;
  /** Since its request was accepted. */
  ageSeconds: number;
}

export async function loadQueuedMessages(knex: Knex, jobs: readonly DeliveryJob[]): Promise<QueuedMessage[]> {
  const { rows } = await knex.raw<{ rows: QueuedMessage[] }>(
    `select m.id, m.request_id as "requestId", m.channel, m.phone, m.text, r.sender,
       extract(epoch from now() - r.created_at)::float8 as "ageSeconds"
     from json_to_recordset(?::json) as share("requestId" uuid, channel text)
       join messages m on m.request_id = share."requestId" and m.channel = share.channel
       join requests r on r.id = m.request_id
     where m.state = 'Queued'
     order by m.id`,
    [
      JSON.stringify(
        jobs.flatMap(({ requestIds, channel }) => requestIds.map((requestId) => ({ requestId, channel }))),
      ),
    ],
  );
  return rows;
}
