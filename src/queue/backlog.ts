/** Gauges of delivery jobs that wait or that no worker finished, read from the database on each scrape. */
import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import { watchGauges } from '../platform/gauges.ts';

/** Gauges by their column in the query below. */
const gauges = {
  oldest_queued: {
    name: 'tarishi_oldest_queued_seconds',
    help: 'Time since the oldest request with unsubmitted messages could have been submitted',
  },
  oldest_scheduled: {
    name: 'tarishi_oldest_scheduled_due_seconds',
    help: 'Time since the first scheduled message was due that is not released',
  },
  open: { name: 'tarishi_delivery_jobs_open', help: 'Delivery jobs that are due or in progress' },
  waiting: {
    name: 'tarishi_delivery_jobs_waiting',
    help: 'Delivery jobs that have waited for their connector for more than 5 seconds',
  },
  expired: {
    name: 'tarishi_delivery_leases_expired',
    help: 'Delivery jobs with an expired lease',
  },
};

type Backlog = Record<keyof typeof gauges, number>;

export function watchJobs(registry: Registry, knex: Knex): void {
  watchGauges(registry, gauges, () => readBacklog(knex));
}

/** SQL: since when a job of `jobs` could have been submitted, from its oldest request. A job that was postponed is a new one. */
export const waitingSince = `coalesce(
  (select released_at from messages
   where id = (case when data -> 'messageIds' ->> 0 ~ '^[1-9][0-9]{0,17}$' then data -> 'messageIds' ->> 0 end)::bigint),
  requests.send_at, requests.created_at)`;

/** The first request of a job is its oldest. */
export const withFirstRequest = `jobs left join lateral (
  select ${waitingSince} as waiting_since from requests
  where id = (case when data -> 'requestIds' ->> 0 ~ '^[0-9a-f-]{36}$' then data -> 'requestIds' ->> 0 end)::uuid
) as first on true`;

async function readBacklog(knex: Knex): Promise<Backlog | undefined> {
  const { rows } = await knex
    .raw<{ rows: Backlog[] }>(
      `select
         count(*) filter (where claimed or due_at <= service_now())::float8 as open,
         count(*) filter (where not claimed and due_at < service_now() - interval '5 seconds')::float8 as waiting,
         count(*) filter (where claimed and due_at < service_now())::float8 as expired,
         greatest(coalesce(extract(epoch from service_now() - min(first.waiting_since)), 0), 0)::float8 as oldest_queued,
         greatest(coalesce(extract(epoch from service_now() - (
           select min(send_at) from messages where scheduled)), 0), 0)::float8 as oldest_scheduled
       from ${withFirstRequest}
       where queue = 'deliver'`,
    )
    .timeout(5_000);
  return rows[0];
}
