/** Reads what the checks of a deployment need from the database. */
import type { Knex } from 'knex';

export async function databaseClockMs(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: { at: Date }[] }>('select service_clock() as at');
  return rows[0]?.at.getTime() ?? Number.NaN;
}

export interface Stuck {
  /** Jobs with an expired lease. */
  expired: number;
  /** Jobs that wait past their expiry. */
  overdue: number;
  /** How long the oldest job has been due. */
  oldestSeconds: number;
}

/** A minute is given to workers that are busy. */
export async function countStuck(knex: Knex): Promise<Stuck> {
  const { rows } = await knex.raw<{ rows: Stuck[] }>(
    `select
       count(*) filter (where claimed and due_at < service_now() - interval '1 minute')::float8 as expired,
       count(*) filter (where not claimed and expires_at < service_now() - interval '1 minute')::float8 as overdue,
       coalesce(extract(epoch from service_now() - min(due_at) filter (where not claimed)), 0)::float8
         as "oldestSeconds"
     from jobs`,
  );
  return rows[0] ?? { expired: 0, overdue: 0, oldestSeconds: 0 };
}
