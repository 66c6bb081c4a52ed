/** Stores and reads what happened minute by minute: of each team, and of all together. */
import type { Knex } from 'knex';
import type { Product } from '../../model/plan.ts';

/** What happened to messages of one team and channel. */
export interface MinuteCount {
  teamId: string;
  product: Product;
  /** '': of chat-app messages. */
  channel: string;
  accepted: number;
  delivered: number;
  failed: number;
}

export type Minute = Omit<MinuteCount, 'teamId'> & { minute: Date };

const counted = 'sum(accepted) as accepted, sum(delivered) as delivered, sum(failed) as failed';

/** Adds to the present minute. */
export async function addToMinute(knex: Knex, counts: readonly MinuteCount[]): Promise<void> {
  await knex.raw(
    `with counted as (
       select * from json_to_recordset(:counts::json) as c("teamId" text, product text, channel text,
         accepted bigint, delivered bigint, failed bigint)
     )
     insert into minute_counts as known (team_id, minute, product, channel, accepted, delivered, failed)
     select coalesce("teamId", ''), date_trunc('minute', service_now()), product, channel, ${counted}
     from counted group by grouping sets (("teamId", product, channel), (product, channel))
     -- In one order, so that processes wait for each other and do not deadlock.
     order by 1, 3, 4
     on conflict (team_id, minute, product, channel) do update set accepted = known.accepted + excluded.accepted,
       delivered = known.delivered + excluded.delivered, failed = known.failed + excluded.failed`,
    { counts: JSON.stringify(counts) },
  );
}

/** A minute that is in the future is from before the clock was set back. */
export async function purgeMinutes(knex: Knex, minutes: number): Promise<void> {
  await knex.raw(
    `delete from minute_counts
     where minute < service_now() - :minutes * interval '1 minute' or minute > service_now()`,
    { minutes },
  );
}

export interface Minutes {
  /** The first minute. */
  from: Date;
  /** The end of the present minute. */
  to: Date;
  /** In the order of channels, then of time; minutes without messages are absent. */
  items: Minute[];
}

/** The last `minutes`, with the present one. `teamId` undefined: all teams together. */
export async function readMinutes(knex: Knex, teamId: string | undefined, minutes: number): Promise<Minutes> {
  const { rows } = await knex.raw<{ rows: (Omit<Minutes, 'items'> & { items: Minute[] | null })[] }>(
    `select period.from, period.to, (
       select json_agg(json_build_object('minute', minute, 'product', product, 'channel', channel,
         'accepted', accepted, 'delivered', delivered, 'failed', failed) order by product, channel, minute)
       from minute_counts
       where team_id = :teamId and minute >= period.from and minute < period.to
     ) as items
     from (
       select date_trunc('minute', service_now()) - (:minutes - 1) * interval '1 minute' as from,
         date_trunc('minute', service_now()) + interval '1 minute' as to
     ) as period`,
    { teamId: teamId ?? '', minutes },
  );
  const [{ from, to, items } = noMinutes] = rows;
  return { from, to, items: (items ?? []).map((one) => ({ ...one, minute: new Date(one.minute) })) };
}

const noMinutes = { from: new Date(0), to: new Date(0), items: [] };
