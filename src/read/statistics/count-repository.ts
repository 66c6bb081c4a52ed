/** Counts messages by hour and by day, a while after they were accepted, and counts those anew that change later. */
import type { Knex } from 'knex';
import { holdsFor } from '../../model/products.ts';
import { countedColumns, latencyColumns } from './outcome.ts';

/** By then nearly all messages are final, and no transaction holds ids that are not visible yet. */
const lagSeconds = 600;
const countedTogether = 5_000;
/** A network may take back a bundle that it delivered. */
const longestReversalDays = 30;

/** What may change of a counted message. */
const changing = ['connector', 'outcome', 'billed_as', 'latency', 'latency_ms'] as const;
const messageKey =
  'team_id, hour, product, channel, resource_id, template_id, sender, connector, outcome, billed_as, latency';
const key = messageKey.replace('hour', 'hours, hour');
const oldKey = messageKey.replace(
  'connector, outcome, billed_as, latency',
  'old_connector, old_outcome, old_billed_as, old_latency',
);

const message = (id: string) => `
  cross join lateral (select * from messages where id = ${id} limit 1) as m
  cross join lateral (select * from requests where id = m.request_id limit 1) as r`;

const mayChange = `(outcome = 'open' or (${holdsFor('refundedAfterSubmission', 'product')} and outcome = 'delivered'
  and hour > service_now() - interval '${longestReversalDays} days'))`;

/** SQL: each row twice, with the hour and with the day that it belongs to. */
const twice = (rows: string) => `(
  select one.*, span.hours, span.since from ${rows} as one
  cross join lateral (values (1, one.hour), (24, date_trunc('day', one.hour, 'UTC'))) as span(hours, since)
) as rows`;
const spanKey = key.replace('hour,', 'since,');

const addTo = `on conflict (${key}) do update set messages = message_counts.messages + excluded.messages,
  latency_ms = message_counts.latency_ms + excluded.latency_ms`;

/** True: there are more to count. One process at a time counts, and others pass. */
export async function countMessages(knex: Knex, lag = lagSeconds): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: { counted: number }[] }>(
    `with progress as materialized (
       select message_id from count_progress for update skip locked
     ), next as materialized (
       select m.id, r.created_at, ${countedColumns}, ${latencyColumns}
       from (
         select id from messages where id > (select message_id from progress) order by id limit ${countedTogether}
       ) as following ${message('following.id')}
     ), ready as materialized (
       select * from next where id < coalesce(
         (select min(id) from next where created_at > service_now() - :lag::integer * interval '1 second'),
         9223372036854775807)
     ), counted as (
       insert into message_counts (${key}, messages, latency_ms)
       select ${spanKey}, count(*), sum(latency_ms) from ${twice('ready')} group by ${spanKey} ${addTo}
     ), remembered as (
       insert into counted_messages (message_id, ${changing})
       select id, ${changing} from ready where ${mayChange}
     ), moved as (
       update count_progress set message_id = last.id, accepted_at = last.at
       from (select max(id) as id, max(created_at) as at from ready) as last where last.id is not null
     )
     select count(*)::integer as counted from ready`,
    { lag },
  );
  return rows[0]?.counted === countedTogether;
}

/** Looks at some of the counted messages that may have changed, in turns. */
export async function recountMessages(knex: Knex): Promise<void> {
  await knex.raw(
    `with progress as materialized (
       select looked_at_id from count_progress for update skip locked
     ), looked as materialized (
       select m.id, ${countedColumns}, ${latencyColumns}, ${changing.map((one) => `before.${one} as old_${one}`)}
       from (
         select * from counted_messages where message_id > (select looked_at_id from progress)
         order by message_id limit ${countedTogether}
       ) as before ${message('before.message_id')}
     ), changed as (
       select * from looked where (connector, outcome, billed_as, latency_ms) <> (old_connector, old_outcome, old_billed_as, old_latency_ms)
     ), counted as (
       insert into message_counts (${key}, messages, latency_ms)
       select ${spanKey}, sum(change), sum(latency_ms) from ${twice(`(
         select ${messageKey}, 1 as change, latency_ms from changed
         union all
         select ${oldKey}, -1, -old_latency_ms from changed
       )`)} group by ${spanKey} ${addTo}
     ), known as (
       update counted_messages c
       set ${changing.map((one) => `${one} = changed.${one}`)}
       from changed where c.message_id = changed.id and ${mayChange.replaceAll('outcome', 'changed.outcome')}
     ), done as (
       delete from counted_messages where message_id in (select id from looked where not ${mayChange})
     )
     update count_progress set looked_at_id =
       case when (select count(*) from looked) < ${countedTogether} then 0 else (select max(id) from looked) end
     where exists (select from progress)`,
  );
}
