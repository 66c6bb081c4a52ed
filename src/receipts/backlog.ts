/** Gauges of receipts that wait or were given up, read from the database on each scrape. */
import type { Knex } from 'knex';
import { Gauge, type Registry } from 'prom-client';
import { shared } from '../concurrency/cache.ts';
import { isDue, isParked } from './posting/parking.ts';

/** Gauges by their column in the query below. */
const gauges = {
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
export function watchReceipts(registry: Registry, knex: Knex): void {
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
  const { rows } = await knex
    .raw<{ rows: Backlog[] }>(
      `with due as (
         select min(r.next_attempt_at) as since
         from receipts r left join receipt_origins o using (team_id, origin_key)
         where r.state = 'Waiting' and ${isDue('r')} and not coalesce(${isParked('o')}, false)
       )
       select
         (select count(*) from receipts where state = 'Waiting')::float8 as pending,
         (select count(*) from receipts where state = 'Exhausted')::float8 as exhausted,
         (select count(*) from receipt_origins o where ${isParked('o')})::float8 as parked,
         coalesce(extract(epoch from service_now() - since), 0)::float8 as oldest_due
       from due`,
    )
    .timeout(5_000);
  return rows[0];
}
