/** Queues scheduled messages whose time has come. */
import type { Knex } from 'knex';
import { type Category, priorities } from '../../model/plan.ts';
import { secondsLeft } from '../../queue/clock-set-back.ts';
import type { JobMessage } from '../../queue/fold-jobs.ts';
import { joinedService } from '../repository.ts';

type Released = Omit<JobMessage, 'priority' | 'validSeconds'> & { category: Category; secondsLeft: number };

/**
 * One-time codes first, by an index of their own: however many others were due before, they wait for one round at most.
 */
export const releaseText = `
  with urgent as materialized (
    select id from messages where scheduled and one_time and send_at <= service_now()
    order by send_at, id limit :limit for update skip locked
  ), others as materialized (
    select id from messages where scheduled and not one_time and send_at <= service_now()
    order by send_at, id limit :limit - (select count(*) from urgent) for update skip locked
  ), m as (
    update messages set state = 'Queued', released_at = service_now()
    where id = any(array(select id from urgent union all select id from others)) returning *
  )
  select m.id, m.request_id as "requestId", m.product, m.channel, r.team_id as "teamId", r.category,
    ${secondsLeft(':validitySeconds')} as "secondsLeft"
  from m join requests r on r.id = m.request_id ${joinedService}
  order by m.send_at, m.id`;

/**
 * Marks the messages that are due as queued, and returns what their jobs need; those that another transaction holds are
 * left to it. A message that has expired meanwhile is queued too: its job expires at once.
 */
export async function releaseDue(
  trx: Knex.Transaction,
  limit: number,
  validitySeconds: number,
): Promise<JobMessage[]> {
  const { rows } = await trx.raw<{ rows: Released[] }>(releaseText, { limit, validitySeconds });
  return rows.map(({ category, secondsLeft: left, ...message }) => ({
    ...message,
    priority: priorities[category],
    validSeconds: Math.max(0, left),
  }));
}
