/** Reads the messages of delivery jobs that still wait to be handed over, and marks those on their way. */
import type { Knex } from 'knex';
import type { OutboundMessage } from '../connectors/connector.ts';
import type { DeliveryJob } from './queue.ts';

/** A message that no network has yet, as far as we know. */
export interface QueuedMessage extends OutboundMessage {
  requestId: string;
  /** The service or campaign of the request. */
  resourceId: string;
  /** Sending: an earlier hand-over was interrupted, and the network must not get the message twice. */
  state: 'Queued' | 'Sending';
  /** Since its request was accepted, or its bundle delivered. */
  ageSeconds: number;
  /** Null: its service has no rule of its own. */
  validitySeconds: number | null;
}

export async function loadQueuedMessages(knex: Knex, jobs: readonly DeliveryJob[]): Promise<QueuedMessage[]> {
  const { rows } = await knex.raw<{ rows: QueuedMessage[] }>(
    `select m.id, m.request_id as "requestId", m.product, m.channel, m.phone, m.content, m.state, r.sender,
       r.resource_id as "resourceId",
       extract(epoch from now() - coalesce(m.released_at, r.created_at))::float8 as "ageSeconds",
       s.validity_seconds as "validitySeconds"
     from json_to_recordset(?::json)
         as job("requestIds" uuid[], product text, channel text, "messageIds" bigint[])
       cross join unnest(job."requestIds") as asked(request_id)
       join messages m on m.request_id = asked.request_id and m.product = coalesce(job.product, 'sms')
         and m.channel = job.channel and (job."messageIds" is null or m.id = any(job."messageIds"))
       join requests r on r.id = m.request_id
       left join campaigns c on c.id = r.resource_id and r.operation = 'disburseMobileData'
       left join services s on s.id = case when r.operation = 'sendSms' then r.resource_id else c.service_id end
     where m.state in ('Queued', 'Sending')
     order by m.id`,
    [JSON.stringify(jobs)],
  );
  return rows;
}

/** Those of the messages that their network has and has not reported on. */
export async function loadSubmittedMessages(knex: Knex, ids: readonly string[]): Promise<OutboundMessage[]> {
  const { rows } = await knex.raw<{ rows: OutboundMessage[] }>(
    `select m.id, m.product, m.channel, m.phone, m.content, r.sender
     from messages m join requests r on r.id = m.request_id
     where m.id = any(?::bigint[]) and m.state = 'Submitted'
     order by m.id`,
    [[...ids]],
  );
  return rows;
}

/** Notes, before the network hears of them, that these messages are on their way. */
export async function markSending(knex: Knex, ids: readonly string[]): Promise<void> {
  await knex.raw(`update messages set state = 'Sending' where id = any(?::bigint[]) and state = 'Queued'`, [
    [...ids],
  ]);
}

/** Takes back the note of messages that the network said it did not take. */
export async function markQueued(trx: Knex.Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await trx.raw(`update messages set state = 'Queued' where id = any(?::bigint[]) and state = 'Sending'`, [
    [...ids],
  ]);
}
