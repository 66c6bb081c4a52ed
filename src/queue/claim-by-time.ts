/** Claims jobs that are due, in the order of their time. */
import type { Knex } from 'knex';
import { type ClaimedJob, type Lease, leaseFromNowMs, leaseSeconds, type QueueName } from './job.ts';

/** Claims up to `limit` jobs; what they hold is not checked yet. */
export async function claimByTime(
  knex: Knex,
  name: QueueName,
  limit: number,
): Promise<ClaimedJob<unknown>[]> {
  const leaseEndsMs = leaseFromNowMs();
  const { rows } = await knex.raw<{ rows: (Lease & { data: unknown })[] }>(
    `with due as (
       select id from jobs
       where queue = ? and lane = '' and priority = 0 and team_id = '' and due_at <= service_now()
       order by due_at, id limit ? for update skip locked
     )
     update jobs set due_at = service_now() + ? * interval '1 second', claims = claims + 1, claimed = true
     where id = any(array(select id from due))
     returning id, claims, data`,
    [name, limit, leaseSeconds],
  );
  return rows.map((job) => ({ ...job, leaseEndsMs }));
}
