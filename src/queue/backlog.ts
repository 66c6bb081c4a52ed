/** Gauges of delivery jobs that wait or that no worker finished, read from the database on each scrape. */
import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import { watchGauges } from '../platform/gauges.ts';

/** Gauges by their column in the query below. */
const gauges = {
  oldest_queued: {
    name: 'tarishi_oldest_queued_seconds',
    help: 'Age of the oldest request with unsubmitted messages',
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

/** The first request of a job is its oldest. A job that was postponed is a new one: its request tells its age. */
export const withFirstRequest = `jobs left join lateral (
  select created_at from requests
  where id = (case when data -> 'requestIds' ->> 0 ~ '^[0-9a-f-]{36}$' then data -> 'requestIds' ->> 0 end)::uuid
) as first on true`;

async function readBacklog(knex: Knex): Promise<Backlog | undefined> {
  const { rows } = await knex
    .raw<{ rows: Backlog[] }>(
      `select
         count(*) filter (where claimed or due_at <= service_now())::float8 as open,
         count(*) filter (where not claimed and due_at < service_now() - interval '5 seconds')::float8 as waiting,
         count(*) filter (where claimed and due_at < service_now())::float8 as expired,
         greatest(coalesce(extract(epoch from service_now() - min(first.created_at)), 0), 0)::float8 as oldest_queued
       from ${withFirstRequest}
       where queue = 'deliver'`,
    )
    .timeout(5_000);
  return rows[0];
}
