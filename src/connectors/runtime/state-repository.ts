/** Stores the condition that each process reports for its connectors. */
import type { Knex } from 'knex';
import type { ConnectorCondition } from '../../model/words/connectors.ts';
import type { ConnectorStatus } from '../contract/connector.ts';

/** A connector as all processes together see it. */
export interface SeenConnector {
  name: string;
  kind: string;
  /** The best state among the processes that have it; `away`: none has. */
  condition: ConnectorCondition;
  reason: string | null;
  /** When its condition began; null: not known. */
  since: Date | null;
  /** Sums over the processes; null of connectors that keep no connections. */
  binds: number | null;
  bound: number | null;
  window: number | null;
  inFlight: number | null;
  ratePerSecond: number | null;
  /** What each process has leased of its account; empty where nothing is limited, or one process is alone. */
  holders: readonly Holder[];
  /** Whether the network asked any process for fewer messages within the last minute. */
  throttled: boolean;
  /** The newest of all processes. */
  lastError: string | null;
  lastErrorAt: Date | null;
}

export interface Holder {
  /** Where it runs, as `host:pid`. */
  process: string;
  /** How much of the account: of a network that keeps connections, how many. */
  parts: number;
  ratePerSecond: number;
  /** RFC 3339. */
  until: string;
}

export interface StateRepository {
  save: (statuses: readonly ConnectorStatus[]) => Promise<void>;
  /** Called when the process ends. */
  forget: () => Promise<void>;
}

/** A process that has reported nothing for this long is gone. */
export const silenceSeconds = 30;

/** A time in the future was stored before the clock was set back: a process that still runs reports again soon. */
export const isRecent = (seconds: string) =>
  `(seen_at between service_now() - ${seconds} * interval '1 second' and service_now() + interval '5 seconds')`;

/** SQL: what the processes that are there say of each connector. */
const said = `
  select connector, sum(binds)::float8 as binds, sum(bound)::float8 as bound,
    sum(send_window)::float8 as send_window, sum(in_flight)::float8 as in_flight, sum(rate) as rate,
    case when bool_or(condition = 'open') then 'open' when bool_or(condition = 'unbound') then 'unbound'
      when bool_or(condition = 'faulty') then 'faulty' else 'away' end as condition,
    max(reason) filter (where condition = 'faulty') as fault, bool_or(throttled) as throttled,
    (array_agg(last_error order by last_error_at desc nulls last))[1] as last_error,
    max(last_error_at) as last_error_at
  from connector_states where ${isRecent(':silenceSeconds')} group by connector`;

/** `process`: any name that no other process has. */
export function createStateRepository(knex: Knex, process: string): StateRepository {
  return {
    save: async (statuses) => {
      await knex.raw(
        `with said as (
           select * from json_to_recordset(:statuses::json) as s(connector text, condition text, reason text,
             binds integer, bound integer, send_window integer, in_flight integer, rate float8, throttled boolean,
             last_error text, last_error_at timestamptz)
         ), gone as (
           delete from connector_states where not ${isRecent(':silenceSeconds')}
             or (process = :process and connector not in (select connector from said))
         )
         insert into connector_states
           (process, connector, condition, reason, binds, bound, send_window, in_flight, rate, throttled,
             last_error, last_error_at)
         select :process, said.* from said
         on conflict (process, connector) do update set condition = excluded.condition,
           reason = excluded.reason, binds = excluded.binds, bound = excluded.bound,
           send_window = excluded.send_window, in_flight = excluded.in_flight, rate = excluded.rate,
           throttled = excluded.throttled, last_error = excluded.last_error, last_error_at = excluded.last_error_at,
           seen_at = service_now()`,
        { process, silenceSeconds, statuses: JSON.stringify(statuses.map(rowOf)) },
      );
      await noteConditions(knex);
    },
    forget: async () => {
      await knex('connector_states').where({ process }).delete();
      await noteConditions(knex);
    },
  };
}

/** Keeps since when connectors have the conditions that they have now, whichever processes come and go. */
async function noteConditions(knex: Knex): Promise<void> {
  await knex.raw(
    `update connectors c set condition = now.condition, condition_since = service_now()
     from (
       select name, coalesce(said.condition, 'away') as condition
       from connectors left join (${said}) as said on said.connector = name
     ) as now
     where now.name = c.name and now.condition is distinct from c.condition`,
    { silenceSeconds },
  );
}

function rowOf({ name, condition, reason, state, throttled, lastError }: ConnectorStatus) {
  return {
    connector: name,
    condition,
    reason,
    binds: state?.binds,
    bound: state?.bound,
    send_window: state?.window,
    in_flight: state?.inFlight,
    rate: state?.ratePerSecond,
    throttled,
    last_error: lastError?.reason,
    last_error_at: lastError?.at,
  };
}

/** All connectors by name. A pause counts at once, whatever the processes still say. */
export async function seenConnectors(knex: Knex): Promise<SeenConnector[]> {
  const { rows } = await knex.raw<{ rows: SeenConnector[] }>(
    `with said as (${said}), known as (
       select c.*, c.paused and coalesce(c.paused_until > service_now(), true) as is_paused,
         coalesce(said.condition, 'away') as now_condition
       from connectors c left join said on said.connector = c.name
     )
     select name, kind, case when is_paused then 'paused' else now_condition end as condition,
       case when is_paused then paused_reason when now_condition = 'faulty' then fault end as reason,
       case when is_paused then paused_at when known.condition = now_condition then condition_since
         when now_condition = 'away' then (select max(seen_at) from connector_states where connector = name)
       end as since,
       coalesce((
         select json_agg(json_build_object('process', holder, 'parts', parts, 'ratePerSecond', rate,
           'until', to_char(until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by holder)
         from (
           select holder, count(*) as parts, sum(rate) as rate, min(until) as until from connector_leases
           where connector = name and process is not null and until > service_now() group by process, holder
         ) as held
       ), '[]') as holders,
       binds, bound, send_window as "window", in_flight as "inFlight", rate as "ratePerSecond",
       coalesce(throttled, false) as throttled, last_error as "lastError", last_error_at as "lastErrorAt"
     from known left join said on said.connector = known.name order by name`,
    { silenceSeconds },
  );
  return rows;
}
