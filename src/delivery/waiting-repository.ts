/** Stores delivery jobs that wait outside the queue for their connector. */
import type { Knex } from 'knex';
import type { DeliveryJob, Group } from '../queue/queue.ts';
import { joinedService } from './repository.ts';

/** Keeps the jobs until their network can take them, or the first of their messages expires. */
export async function holdJobs(
  trx: Knex.Transaction,
  jobs: readonly DeliveryJob[],
  validitySeconds: number,
): Promise<void> {
  if (jobs.length === 0) return;
  await trx.raw(
    `insert into waiting_jobs (product, channel, request_ids, message_ids, expires_at)
     select product, channel, "requestIds", "messageIds", (
       select min(coalesce(m.released_at, r.created_at)
         + coalesce(s.validity_seconds, :validitySeconds) * interval '1 second')
       from messages m join requests r on r.id = m.request_id
         ${joinedService}
       where m.request_id = any("requestIds") and m.product = job.product and m.channel = job.channel
         and ("messageIds" is null or m.id = any("messageIds")) and m.state = 'Queued'
     )
     from json_to_recordset(:jobs::json)
       as job(product text, channel text, "requestIds" uuid[], "messageIds" bigint[])`,
    { jobs: JSON.stringify(jobs), validitySeconds },
  );
}

/** Goes from group to group through the index: how many jobs wait in each makes no difference. */
export async function waitingGroups(knex: Knex): Promise<Group[]> {
  const { rows } = await knex.raw<{ rows: Group[] }>(
    `with recursive waiting as (
       (select product, channel from waiting_jobs order by product, channel limit 1)
       union all
       select next.product, next.channel from waiting, lateral (
         select w.product, w.channel from waiting_jobs w
         where (w.product, w.channel) > (waiting.product, waiting.channel) order by w.product, w.channel limit 1
       ) as next
     )
     select * from waiting`,
  );
  return rows;
}

/** Takes out the oldest jobs of each of the groups, and all that expire; at most `limit` of each. */
export async function takeWaiting(
  trx: Knex.Transaction,
  groups: readonly Group[],
  limit: number,
): Promise<DeliveryJob[]> {
  const { rows } = await trx.raw<{ rows: DeliveryJob[] }>(
    `with chosen as (
       select oldest.id from json_to_recordset(:groups::json) as own(product text, channel text), lateral (
         select id from waiting_jobs w where w.product = own.product and w.channel = own.channel
         order by id limit :limit
       ) as oldest
       union
       (select id from waiting_jobs where expires_at <= now() order by expires_at limit :limit)
     ), locked as (
       select id from waiting_jobs where id in (select id from chosen) order by id for update skip locked
     )
     delete from waiting_jobs w using locked where w.id = locked.id
     returning w.product, w.channel, w.request_ids as "requestIds", w.message_ids as "messageIds"`,
    { groups: JSON.stringify(groups), limit },
  );
  return rows;
}
