/** Leases the parts of accounts to processes, so that all together never use more than an account allows. */
import type { Knex } from 'knex';
import type { Account } from '../contract/share.ts';
import { isRecent, silenceSeconds } from './state-repository.ts';

export interface LeasedPart {
  part: number;
  ratePerSecond: number;
  /** It was just taken from a process that died. */
  inherited: boolean;
}

export interface Leased {
  /** In their order. */
  parts: readonly LeasedPart[];
  /** How many of them this process may keep, for each process that has the connector to get as many. */
  most: number;
}

export interface Leases {
  /** How long parts may be used after `renew` was called: for a part of the lease, so that nothing is in use when it ends. */
  usableMs: number;
  /** Renews what this process holds, and takes what is free and its due; by the name of the connector. */
  renew: (accounts: ReadonlyMap<string, Account>) => Promise<Map<string, Leased>>;
  /** What this process does not use any more; others may use it after a second: what left in it counts for them too. */
  release: (connector: string, parts: readonly number[]) => Promise<void>;
  /** Called when the process ends, and uses none. */
  releaseAll: () => Promise<void>;
}

/** `process`: any name that no other process has, the same as of its states. `holder`: where it runs, in words. */
export function createLeases(
  knex: Knex,
  { process, holder, leaseSeconds }: { process: string; holder: string; leaseSeconds: number },
): Leases {
  return {
    usableMs: leaseSeconds * 750,
    renew: async (accounts) => {
      const wanted = [...accounts].map(([connector, { parts, ratePerSecond }]) => ({
        connector,
        parts,
        rate: ratePerSecond,
      }));
      const { rows } = await knex.raw<{
        rows: (LeasedPart & { connector: string; most: number })[];
      }>(renewal, { process, holder, leaseSeconds, silenceSeconds, wanted: JSON.stringify(wanted) });
      return new Map(
        [...accounts.keys()].map((name) => {
          const parts = rows.filter(({ connector }) => connector === name);
          return [name, { parts, most: parts[0]?.most ?? 0 }];
        }),
      );
    },
    release: (connector, parts) =>
      letGo(knex, 'connector = :connector and part = any(:parts::integer[])', {
        process,
        connector,
        parts: [...parts],
      }),
    releaseAll: () => letGo(knex, 'true', { process }),
  };
}

async function letGo(knex: Knex, which: string, values: Record<string, string | number[]>): Promise<void> {
  await knex.raw(
    `update connector_leases set process = null, until = service_now() + interval '1 second', renewed_at = service_now()
     where process = :process and ${which}`,
    values as Record<string, string>,
  );
}

/**
 * A part is taken by the one row that it has: of two processes that want it at once the second one finds it taken. Rates are
 * whole, and those of all parts together are the account's.
 */
const renewal = `
  with wanted as (
    select w.*, ceil(parts / (1.0 + (select count(*) from connector_states s
        where s.connector = w.connector and process <> :process and condition <> 'faulty' and ${isRecent(':silenceSeconds')})
      ))::integer as most
    from json_to_recordset(:wanted::json) as w(connector text, parts integer, rate integer)
  ), account as (
    select wanted.*, part, (rate * (part + 1)::bigint / parts - rate * part::bigint / parts)::integer as part_rate
    from wanted, generate_series(0, parts - 1) as part
  ), renewed as (
    update connector_leases l
    set until = service_now() + :leaseSeconds * interval '1 second', renewed_at = service_now(), rate = part_rate
    from account a where l.connector = a.connector and l.part = a.part and l.process = :process
    returning l.connector, l.part, l.rate
  ), free as (
    select a.*, l.process is not null as inherited, row_number() over (partition by a.connector order by a.part) as place
    from account a left join connector_leases l on l.connector = a.connector and l.part = a.part
    where l.until is null or (l.until <= service_now() and l.process is distinct from :process)
  ), taken as (
    insert into connector_leases as l (connector, part, process, holder, rate, until)
    select connector, part, :process, :holder, part_rate, service_now() + :leaseSeconds * interval '1 second'
    from free f where place <= most - (select count(*) from renewed r where r.connector = f.connector)
    on conflict (connector, part) do update
      set process = excluded.process, holder = excluded.holder, rate = excluded.rate, until = excluded.until,
        renewed_at = excluded.renewed_at
      where l.until <= service_now()
    returning connector, part, rate
  )
  select connector, part, held.rate as "ratePerSecond", wanted.most, coalesce(inherited, false) as inherited
  from (select * from renewed union all select * from taken) as held
  join wanted using (connector) left join free using (connector, part) order by connector, part`;
