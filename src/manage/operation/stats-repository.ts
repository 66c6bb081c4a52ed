/** Counts the messages of a period and their outcomes. */
import type { Knex } from 'knex';

/** What messages are counted by, as SQL over `m` (messages) and `r` (requests). */
const dimensions = {
  product: 'm.product',
  channel: 'm.channel',
  service: 'r.resource_id',
  team: 'm.team_id',
  hour: `to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:00"Z"')`,
} as const;
export type Dimension = keyof typeof dimensions;
export const dimensionNames = Object.keys(dimensions) as Dimension[];

export interface Outcomes {
  /** Such as the channel. */
  key: string;
  accepted: number;
  delivered: number;
  failed: number;
  /** Not final yet. */
  open: number;
  /** From acceptance to the final state; null if none is final. */
  medianSeconds: number | null;
}

export interface Period {
  team: string | undefined;
  by: Dimension;
  /** Included. */
  from: Date;
  /** Not included. */
  to: Date;
}

/** In the order of the keys. */
export async function countOutcomes(knex: Knex, { team, by, from, to }: Period): Promise<Outcomes[]> {
  const { rows } = await knex.raw<{ rows: Outcomes[] }>(
    `select ${dimensions[by]} as key, count(*)::float8 as accepted,
       count(*) filter (where m.state in ('Delivered', 'Read'))::float8 as delivered,
       count(*) filter (where m.final_at is not null and m.state not in ('Delivered', 'Read'))::float8 as failed,
       count(*) filter (where m.final_at is null and m.state not in ('Delivered', 'Read'))::float8 as open,
       percentile_cont(0.5) within group (order by extract(epoch from m.final_at - r.created_at))
         filter (where m.final_at is not null) as "medianSeconds"
     from teams t
       join requests r on r.team_id = t.id and r.created_at >= :from and r.created_at < :to
       join messages m on m.request_id = r.id
     where :team::text is null or t.id = :team
     group by 1 order by 1`,
    { team: team ?? null, from, to },
  );
  return rows;
}
