/** Erases what is kept of what could not be read of what people sent, and of whose the ids of networks are. */
import type { Knex } from 'knex';
import type { Periods } from './progress-repository.ts';
import { mentions } from './subject-repository.ts';

const batch = 500;

/** How many days: fewer if its team has chosen so. */
const dueOf = (what: string, days: string, period: string) => `
  select u.id from inbound_unreadable u left join teams t on t.id = u.team_id
  where ${what} and u.received_at < service_now() - least(:${period}::integer, t.${days}) * interval '1 day'
  order by u.received_at limit ${batch}`;

/**
 * Contents go with texts; the rest with numbers, but for what waits to take effect, which is kept without the person's id. Returns
 * whether more is due at once.
 */
export async function retainUnreadable(knex: Knex, { texts, numbers }: Periods): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: [{ most: number }] }>(
    `with contents as (
       update inbound_unreadable set content = null, identity = null
       where id = any(array(${dueOf('(u.content is not null or u.identity is not null)', 'text_days', 'texts')}))
       returning 1
     ), old as materialized (
       ${dueOf('(u.sender is not null or u.keyword is null or u.applied_at is not null)', 'number_days', 'numbers')}
     ), deleted as (
       delete from inbound_unreadable
       where id in (select id from old) and (keyword is null or applied_at is not null or user_key is null) returning 1
     ), nameless as (
       update inbound_unreadable set sender = null
       where id in (select id from old) and keyword is not null and applied_at is null and user_key is not null
         and content is null
       returning 1
     ), unseen as (
       delete from network_identities where (connector, user_key) in (
         select connector, user_key from network_identities
         where seen_at < service_now() - :numbers::integer * interval '1 day' limit ${batch}
       ) returning 1
     )
     select greatest((select count(*) from contents), (select count(*) from deleted) + (select count(*) from nameless),
       (select count(*) from unseen))::integer as most`,
    { texts, numbers },
  );
  return rows[0].most >= batch;
}

/**
 * Erases what a person sent to a team, or to anybody: what has an id that is known to be theirs, or mentions their number. What
 * waits to take effect still does. Returns how many.
 */
export async function eraseUnreadableOf(
  trx: Knex.Transaction,
  phone: string,
  team: string | undefined,
): Promise<number> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `update inbound_unreadable u set content = null, sender = null, identity = null
     where (u.content is not null or u.sender is not null) and (:team::text is null or u.team_id = :team)
       and (exists (
           select from network_identities n
           where n.connector = u.connector and n.user_key = u.user_key and n.phone = :phone
         ) or ${mentions(`coalesce(u.content, '') || ' ' || coalesce(u.sender, '')`, ':phone::text')})
     returning 1`,
    { phone, team: team ?? null },
  );
  if (team === undefined) await trx('network_identities').where({ phone }).delete();
  return rows.length;
}
