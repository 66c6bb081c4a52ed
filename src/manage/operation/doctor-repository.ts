/** Reads what the checks of a deployment need from the database. */
import type { Knex } from 'knex';
import { withFirstRequest } from '../../queue/backlog.ts';

export async function databaseClockMs(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { at: Date }[] }>('select service_clock() as at');
  return rows[0]?.at.getTime() ?? Number.NaN;
}

export interface Stuck {
  /** Jobs with an expired lease. */
  expired: number;
  /** Jobs that wait past their expiry. */
  overdue: number;
  /** Since the oldest request with messages that were not submitted was accepted. */
  oldestSeconds: number;
}

/** A minute is given to workers that are busy. */
export async function countStuck(knex: Knex): Promise<Stuck> {
  const { rows } = await knex.raw<{ rows: Stuck[] }>(
    `select
       count(*) filter (where claimed and due_at < service_now() - interval '1 minute')::float8 as expired,
       count(*) filter (where not claimed and expires_at < service_now() - interval '1 minute')::float8 as overdue,
       greatest(coalesce(extract(epoch from service_now() - min(first.waiting_since)), 0), 0)::float8 as "oldestSeconds"
     from ${withFirstRequest}`,
  );
  return rows[0] ?? { expired: 0, overdue: 0, oldestSeconds: 0 };
}

/**
 * Tables and indexes whose file is shorter than when it was last vacuumed, or ends within a page: a vacuum notes the
 * length, and whatever shortens a file afterwards in order notes it too. Not so of unlogged ones, which PostgreSQL
 * empties after a crash and on a promoted standby.
 */
export async function shortenedFiles(knex: Knex): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `select relname as name
     from pg_class, (select current_setting('block_size')::integer as page) as setting,
       lateral (select pg_relation_size(oid) as bytes) as file
     where relpersistence = 'p' and relkind in ('r', 'i', 't')
       and relnamespace in ('public'::regnamespace, 'pg_toast'::regnamespace)
       and (bytes < relpages::bigint * page or bytes % page <> 0)
     order by relname`,
  );
  return rows.map(({ name }) => name);
}
