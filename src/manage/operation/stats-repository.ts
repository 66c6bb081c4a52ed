/** Reads the counts of messages by hour, and counts those that were accepted lately. */
import type { Knex } from 'knex';
import { countedColumns, latencyColumns } from '../../read/statistics/outcome.ts';

/** Keys of statistics, as SQL over the columns of `message_counts`. */
const dimensions = {
  product: 'product',
  channel: 'channel',
  service: 'resource_id',
  template: 'template_id',
  team: 'team_id',
  hour: `to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
} as const;
export type Dimension = keyof typeof dimensions;
export const dimensionNames = Object.keys(dimensions) as Dimension[];

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

export interface Period {
  team: string | undefined;
  by: Dimension;
  /** Included; both are full hours. */
  from: Date;
  /** Not included. */
  to: Date;
}

/** In the order of the keys, then of latencies. */
export async function readCounts(knex: Knex, { team, by, from, to }: Period): Promise<CountedMessages[]> {
  const { rows } = await knex.raw<{ rows: CountedMessages[] }>(
    `with chosen as materialized (
       select id from teams where :team::text is null or id = :team
     ), counts as (
       select team_id, hour, product, channel, resource_id, template_id, outcome, latency, latency_ms, messages
       from chosen join message_counts c on c.team_id = chosen.id and c.hour >= :from and c.hour < :to
       union all
       select ${countedColumns}, ${latencyColumns}, 1
       from count_progress p cross join chosen
         join requests r on r.team_id = chosen.id and r.created_at >= :from and r.created_at < :to
           and r.created_at > p.accepted_at - interval '1 minute'
         join messages m on m.request_id = r.id and m.id > p.message_id
     )
     select ${dimensions[by]} as key, outcome, latency, sum(messages)::float8 as messages,
       sum(latency_ms)::float8 as "latencyMs"
     from counts group by 1, 2, 3 having sum(messages) > 0 order by 1, 3`,
    { team: team ?? null, from, to },
  );
  return rows;
}
