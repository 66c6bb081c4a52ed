/** Reads the counts of messages by hour, and counts those that were accepted lately. */
import type { Knex } from 'knex';
import { countedColumns, latencyColumns } from '../../read/statistics/outcome.ts';

/** Keys of statistics, as SQL over the columns of `message_counts`. */
const dimensions = {
  product: 'product',
  channel: 'channel',
  connector: 'connector',
  sender: 'sender',
  service: 'resource_id',
  template: 'template_id',
  billedAs: 'billed_as',
  team: 'team_id',
  day: `to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"00:00:00"Z"')`,
  hour: `to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
} as const;
export type Dimension = keyof typeof dimensions;
export const dimensionNames = Object.keys(dimensions) as Dimension[];

/** As SQL over the columns of `inbound_messages`. */
const inboundDimensions = {
  product: 'product',
  service: 'service_id',
  team: 'team_id',
  hour: `to_char(received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:00:00"Z"')`,
} as const;
export type InboundDimension = keyof typeof inboundDimensions;

/** Messages with the same key, the same outcome and the same step of latency. */
export interface CountedMessages {
  /** Such as the channel. */
  key: string;
  outcome: 'open' | 'delivered' | 'failed';
  /** -1: not known. */
  latency: number;
  messages: number;
  latencyMs: number;
}

/** What phones sent, with one key. */
export interface CountedInbound {
  /** Such as the service. */
  key: string;
  received: number;
  /** Of these, words that were acted upon. */
  optOuts: number;
  optIns: number;
  helps: number;
}

export interface Period {
  team: string | undefined;
  channel: string | undefined;
  connector: string | undefined;
  sender: string | undefined;
  service: string | undefined;
  by: Dimension;
  /** Included; both are full hours. */
  from: Date;
  /** Not included. */
  to: Date;
  /** Messages that are accepted later are not there yet. */
  now: Date;
}

const dayMs = 24 * 3_600_000;

/** The full days of the period in UTC, which are read as such; the day that runs is full up to now. */
function fullDays({ by, from, to, now }: Pick<Period, 'by' | 'from' | 'to' | 'now'>): {
  first: Date;
  end: Date;
} {
  const first = Math.ceil(from.getTime() / dayMs) * dayMs;
  const last = to.getTime() / dayMs;
  const end = (to < now ? Math.floor(last) : Math.ceil(last)) * dayMs;
  return by === 'hour' || end <= first
    ? { first: to, end: to }
    : { first: new Date(first), end: new Date(end) };
}

/**
 * In the order of the keys, then of latencies. Team by team through the indexes, which `offset 0` enforces: a planner that
 * does not know how far the counting has come would read all requests of the period.
 */
export async function readCounts(
  knex: Knex,
  { by, from, to, now, ...only }: Period,
): Promise<CountedMessages[]> {
  const { rows } = await knex.raw<{ rows: CountedMessages[] }>(
    `with chosen as materialized (
       select id from teams where :team::text is null or id = :team
     ), counts as (
       select team_id, hour, product, channel, resource_id, template_id, connector, sender, outcome, billed_as, latency, latency_ms, messages
       from chosen cross join lateral (
         (select * from message_counts where team_id = chosen.id and hours = 1 and hour >= :from and hour < :first offset 0)
         union all
         (select * from message_counts where team_id = chosen.id and hours = 24 and hour >= :first and hour < :end offset 0)
         union all
         (select * from message_counts where team_id = chosen.id and hours = 1 and hour >= :end and hour < :to offset 0)
       ) c
       union all
       select ${countedColumns}, ${latencyColumns}, 1
       from chosen cross join lateral (
         select * from requests where team_id = chosen.id and created_at >= :from and created_at < :to
           and created_at > (select accepted_at - interval '1 minute' from count_progress) offset 0
       ) r cross join lateral (
         select * from messages where request_id = r.id and id > (select message_id from count_progress) offset 0
       ) m
     )
     select ${dimensions[by]} as key, outcome, latency, sum(messages)::float8 as messages,
       sum(latency_ms)::float8 as "latencyMs"
     from counts
     where outcome <> 'unused' and (:channel::text is null or channel = :channel) and (:service::text is null or resource_id = :service)
       and (:connector::text is null or connector = :connector) and (:sender::text is null or sender = :sender)
     group by 1, 2, 3 having sum(messages) > 0 order by 1, 3`,
    {
      from,
      to,
      ...fullDays({ by, from, to, now }),
      ...Object.fromEntries(narrowings.map((name) => [name, only[name] ?? null])),
    },
  );
  return rows;
}

const narrowings = ['team', 'channel', 'connector', 'sender', 'service'] as const;

/** In the order of the keys. Team by team through an index that holds all that is read. */
export async function readInboundCounts(
  knex: Knex,
  { team, by, from, to }: Pick<Period, 'team' | 'from' | 'to'> & { by: InboundDimension },
): Promise<CountedInbound[]> {
  const word = (keyword: string) => `(count(*) filter (where keyword = '${keyword}'))::float8`;
  const { rows } = await knex.raw<{ rows: CountedInbound[] }>(
    `select ${inboundDimensions[by]} as key, count(*)::float8 as received, ${word('STOP')} as "optOuts",
       ${word('START')} as "optIns", ${word('HELP')} as helps
     from teams t cross join lateral (
       select team_id, received_at, product, service_id, keyword from inbound_messages
       where team_id = t.id and received_at >= :from and received_at < :to offset 0
     ) m where :team::text is null or t.id = :team group by 1 order by 1`,
    { team: team ?? null, from, to },
  );
  return rows;
}
