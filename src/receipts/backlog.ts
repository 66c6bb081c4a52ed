/** Gauges of receipts that wait or are exhausted, read from the database on each scrape. */
import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import { stateInSecondOrder } from '../model/states.ts';
import { watchGauges } from '../platform/gauges.ts';
import { isDue } from './posting/claim.ts';
import { isParked } from './posting/parking.ts';

/** A count that is larger says no more, and costs more. */
const mostCounted = 10_000;

/** Gauges by their column in the query below. */
const gauges = {
  oldest_due: {
    name: 'tarishi_oldest_receipt_due_seconds',
    help: 'Time since the oldest due receipt became due, without parked origins',
  },
  pending: { name: 'tarishi_receipts_waiting', help: 'Receipts not yet acknowledged, counted up to 10,000' },
  exhausted: { name: 'tarishi_receipts_exhausted', help: 'Receipts given up, counted up to 10,000' },
  parked: {
    name: 'tarishi_receipt_origins_parked',
    help: 'Parked origins, which get one attempt per minute',
  },
};

type Backlog = Record<keyof typeof gauges, number>;

export function watchReceipts(registry: Registry, knex: Knex): void {
  watchGauges(registry, gauges, () => readBacklog(knex));
}

/**
 * Goes from origin to origin through the index for the oldest that is due; what waits behind it, and what was delivered
 * or given up long ago, is not read.
 */
export const backlogText = `
  with recursive heads as (
    (select r.team_id, r.origin_key, r.next_attempt_at from receipts r
     where r.state = 'Waiting' order by r.team_id, r.origin_key, r.next_attempt_at limit 1)
    union all
    select next.* from heads, lateral (
      select r.team_id, r.origin_key, r.next_attempt_at from receipts r
      where r.state = 'Waiting' and (r.team_id, r.origin_key) > (heads.team_id, heads.origin_key)
      order by r.team_id, r.origin_key, r.next_attempt_at limit 1
    ) as next
  ), due as (
    select min(next_attempt_at) as since
    from (select * from heads limit ${mostCounted}) as head left join receipt_origins o using (team_id, origin_key)
    where ${isDue('head')} and not coalesce(${isParked('o')}, false)
  )
  select
    ${countOf(`${stateInSecondOrder('receipts')} = 'Waiting'`, 'next_attempt_at')}::float8 as pending,
    ${countOf("state = 'Exhausted'", 'created_at')}::float8 as exhausted,
    (select count(*) from receipt_origins o where ${isParked('o')})::float8 as parked,
    coalesce(extract(epoch from service_now() - since), 0)::float8 as oldest_due
  from due`;

/** In the order of the index for the condition: without it a planner may read all receipts to find those that count. */
function countOf(condition: string, order: string): string {
  return `(select count(*) from (select from receipts where ${condition} order by ${order} limit ${mostCounted}) as counted)`;
}

export interface ReceiptCounts {
  waiting: number;
  /** Created in the last 24 hours. */
  exhausted: number;
}

/** Each up to 10,000, along the index of the team, or of all teams together. */
export async function countReceipts(knex: Knex, teamId: string | undefined): Promise<ReceiptCounts> {
  const team = teamId === undefined ? '' : 'team_id = :teamId and ';
  const waiting =
    teamId === undefined
      ? countOf(`${stateInSecondOrder('receipts')} = 'Waiting'`, 'next_attempt_at')
      : countOf(`${team}state = 'Waiting'`, 'created_at');
  const lately = `state = 'Exhausted' and created_at > service_now() - interval '24 hours'`;
  const { rows } = await knex.raw<{ rows: [ReceiptCounts] }>(
    `select ${waiting}::integer as waiting,
       ${countOf(`${team}${lately}`, 'created_at')}::integer as exhausted`,
    teamId === undefined ? {} : { teamId },
  );
  return rows[0];
}

async function readBacklog(knex: Knex): Promise<Backlog | undefined> {
  const { rows } = await knex.raw<{ rows: Backlog[] }>(backlogText).timeout(5_000);
  return rows[0];
}
