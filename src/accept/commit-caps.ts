/** Counts the units of capped teams and clients, day by day and month by month in UTC. */
import type { Knex } from 'knex';
import type { Cap } from '../model/plan.ts';
import { type CapReached, capKey } from './caps.ts';

/** SQL: the first day of the current period. */
const startOf = (period: string) => `date_trunc(${period}, service_now() at time zone 'UTC')::date`;
/** SQL: until the next one begins. */
const secondsLeft = (period: string) => `greatest(1, ceil(extract(epoch from
  ${startOf(period)} + ('1 ' || ${period})::interval - service_now() at time zone 'UTC')))::integer`;

/** SQL: counts the uses of a JSON list, `$n`; a row for each that stays within its cap. Locked in one order. */
export const countCaps = (parameter: string) => `
  insert into cap_uses as u (holder, id, period, began, used, most)
  select holder, id, period, ${startOf('period')}, units, most
  from json_to_recordset(${parameter}::json) as c(holder text, id text, period text, units bigint, most bigint)
  where units <= most order by period, holder, id
  on conflict (period, holder, id) do update set began = excluded.began, most = excluded.most,
    used = excluded.used + case when u.began = excluded.began then u.used else 0 end
  where excluded.used + case when u.began = excluded.began then u.used else 0 end <= excluded.most
  returning 1`;

/** What is left of each cap, with its row locked, by `capKey`. */
export async function lockCaps(
  trx: Knex.Transaction,
  caps: readonly Cap[],
): Promise<Map<string, { left: number; seconds: number }>> {
  if (caps.length === 0) return new Map();
  const { rows } = await trx.raw<{ rows: (Cap & { used: number; seconds: number })[] }>(
    `with asked as (
       select * from json_to_recordset(?::json) as c(holder text, id text, period text)
     ), made as (
       insert into cap_uses (holder, id, period, began, used, most)
       select holder, id, period, ${startOf('period')}, 0, 0 from asked order by period, holder, id
       on conflict (period, holder, id) do update set id = excluded.id
       returning *
     )
     select holder, id, period, case when began = ${startOf('period')} then used else 0 end::float8 as used,
       ${secondsLeft('period')} as seconds
     from made`,
    [JSON.stringify(caps)],
  );
  const used = new Map(rows.map((row) => [capKey({ ...row, most: 0 }), row]));
  return new Map(
    caps.map((cap) => {
      const row = used.get(capKey(cap));
      return [capKey(cap), { left: cap.most - (row?.used ?? 0), seconds: row?.seconds ?? 1 }];
    }),
  );
}

/** Those of the caps that so many units would exceed now. */
export async function findCapped(
  knex: Knex,
  caps: readonly Cap[],
  units: number,
): Promise<readonly CapReached[]> {
  const { rows } = await knex.raw<{ rows: CapReached[] }>(
    `select c.holder, c.id, c.period, c.most::float8 as most, ${secondsLeft('c.period')} as seconds
     from json_to_recordset(:caps::json) as c(holder text, id text, period text, most bigint)
       left join cap_uses u on u.holder = c.holder and u.id = c.id and u.period = c.period and u.began = ${startOf('c.period')}
     where coalesce(u.used, 0) + :units::bigint > c.most order by c.period, c.holder`,
    { caps: JSON.stringify(caps), units },
  );
  return rows;
}
