/** Erases what is kept of what could not be read of what people sent. */
import type { Knex } from 'knex';
import type { Periods } from './progress-repository.ts';
import { mentions } from './subject-repository.ts';

const batch = 500;

/** How many days: fewer if its team has chosen so. */
const dueOf = (what: string, days: string, period: string) => `
  select u.id from inbound_unreadable u left join teams t on t.id = u.team_id
  where ${what} and u.received_at < service_now() - least(:${period}::integer, t.${days}) * interval '1 day'
  order by u.received_at limit ${batch}`;

/** Contents go with texts, the rest with numbers. Returns whether more is due at once. */
export async function retainUnreadable(knex: Knex, { texts, numbers }: Periods): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: [{ most: number }] }>(
    `with contents as (
       update inbound_unreadable set content = null, identity = null
       where id = any(array(${dueOf('(u.content is not null or u.identity is not null)', 'text_days', 'texts')}))
       returning 1
     ), deleted as (
       delete from inbound_unreadable where id = any(array(${dueOf('true', 'number_days', 'numbers')})) returning 1
     )
     select greatest((select count(*) from contents), (select count(*) from deleted))::integer as most`,
    { texts, numbers },
  );
  return rows[0].most >= batch;
}

/** Erases what a person sent to a team, or to anybody: what is from one of their names, or mentions it. Returns how many. */
export async function eraseUnreadableOf(
  trx: Knex.Transaction,
  name: string,
  team: string | undefined,
): Promise<number> {
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `update inbound_unreadable u set content = null, sender = null, identity = null
     where (u.content is not null or u.sender is not null) and (:team::text is null or u.team_id = :team)
       and ${mentions(`coalesce(u.content, '') || ' ' || coalesce(u.sender, '')`, ':name::text')}
     returning 1`,
    { name, team: team ?? null },
  );
  return rows.length;
}
