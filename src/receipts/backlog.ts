/** Gauges of work that waits, read from the database when somebody looks. */
import type { Knex } from 'knex';
import { Gauge, type Registry } from 'prom-client';

interface Backlog {
  open: number;
  oldest: number;
  pending: number;
  exhausted: number;
  parked: number;
}

/** Registers the gauges; a scrape while the database is away leaves them as they were. */
export function watchBacklog(registry: Registry, knex: Knex): void {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const oldest = gauge(
    'tarishi_oldest_delivery_job_seconds',
    'Age of the oldest delivery job that is due or under way',
  );
  const open = gauge('tarishi_delivery_jobs_open', 'Delivery jobs that are due or under way');
  const pending = gauge('tarishi_receipts_pending', 'Receipts that are not acknowledged yet');
  const exhausted = gauge('tarishi_receipts_exhausted', 'Receipts that were given up');
  const parked = gauge('tarishi_receipt_origins_parked', 'Origins that receive one probe a minute');
  // prom-client awaits `collect` of each metric: one of them reads for all.
  Object.assign(oldest, {
    collect: async () => {
      const { rows } = await knex
        .raw<{ rows: Backlog[] }>(
          `select
             (select count(*) from receipts where state = 'Pending')::float8 as pending,
             (select count(*) from receipts where state = 'Exhausted')::float8 as exhausted,
             (select count(*) from receipt_origins where parked_until > now())::float8 as parked,
             count(*)::float8 as open,
             coalesce(extract(epoch from now() - min(created_on)), 0)::float8 as oldest
           from pgboss.job where name = 'deliver' and state < 'completed' and start_after <= now()`,
        )
        .timeout(5_000)
        .catch(() => ({ rows: [] }));
      const [backlog] = rows;
      if (backlog === undefined) return;
      oldest.set(backlog.oldest);
      open.set(backlog.open);
      pending.set(backlog.pending);
      exhausted.set(backlog.exhausted);
      parked.set(backlog.parked);
    },
  });
}
