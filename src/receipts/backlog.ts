/** Gauges of waiting and stuck work, read from the database on each scrape. */
import type { Knex } from 'knex';
import { Gauge, type Registry } from 'prom-client';
import { shared } from '../concurrency/cache.ts';
import { isDue, isParked } from './posting/parking.ts';

/** Gauges by their column in the query below. */
const gauges = {
  oldest_queued: {
    name: 'tarishi_oldest_queued_seconds',
    help: 'Age of the oldest request with unsubmitted messages',
  },
  open: { name: 'tarishi_delivery_jobs_open', help: 'Delivery jobs that are due or in progress' },
  waiting: {
    name: 'tarishi_delivery_jobs_waiting',
    help: 'Delivery jobs waiting for their connector',
  },
  expired: {
    name: 'tarishi_delivery_leases_expired',
    help: 'Delivery jobs with an expired lease',
  },
  oldest_due: {
    name: 'tarishi_oldest_receipt_due_seconds',
    help: 'Time since the oldest due receipt became due, without parked origins',
  },
  pending: { name: 'tarishi_receipts_pending', help: 'Receipts not yet acknowledged' },
  exhausted: { name: 'tarishi_receipts_exhausted', help: 'Receipts given up after their last attempt' },
  parked: {
    name: 'tarishi_receipt_origins_parked',
    help: 'Parked origins, which get one attempt per minute',
  },
};

type Backlog = Record<keyof typeof gauges, number>;

/** Registers the gauges; a scrape while the database is away leaves them as they were. */
export function watchBacklog(registry: Registry, knex: Knex): void {
  // A scrape collects all gauges at once.
  const backlog = shared(() => readBacklog(knex).catch(() => undefined));
  for (const [column, { name, help }] of Object.entries(gauges))
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const found = (await backlog())?.[column as keyof Backlog];
        if (found !== undefined) this.set(found);
      },
    });
}

async function readBacklog(knex: Knex): Promise<Backlog | undefined> {
  // The first request of a job is its oldest. A job that was postponed is a new one: its request tells its age.
  const { rows } = await knex
    .raw<{ rows: Backlog[] }>(
      `with jobs as (
         select state, start_after, started_on, expire_seconds,
           coalesce(requests.created_at, job.created_on) as since, false as aside
         from pgboss.job left join requests on requests.id = (job.data -> 'requestIds' ->> 0)::uuid
         where job.name = 'deliver' and job.state < 'completed'
         union all
         select 'created', null, null, null, requests.created_at, true
         from waiting_jobs left join requests on requests.id = request_ids[1]
       ), due as (
         select min(r.next_attempt_at) as since
         from receipts r left join receipt_origins o using (team_id, origin_key)
         where r.state = 'Pending' and ${isDue('r')} and not coalesce(${isParked('o')}, false)
       )
       select
         (select count(*) from receipts where state = 'Pending')::float8 as pending,
         (select count(*) from receipts where state = 'Exhausted')::float8 as exhausted,
         (select count(*) from receipt_origins o where ${isParked('o')})::float8 as parked,
         (select coalesce(extract(epoch from now() - since), 0) from due)::float8 as oldest_due,
         count(*) filter (where start_after <= now())::float8 as open,
         count(*) filter (where aside)::float8 as waiting,
         count(*) filter (
           where state = 'active' and started_on + expire_seconds * interval '1 second' < now()
         )::float8 as expired,
         coalesce(extract(epoch from now() - min(since)), 0)::float8 as oldest_queued
       from jobs`,
    )
    .timeout(5_000);
  return rows[0];
}
