/** Says who uses the tables that a migration waited for in vain, and what to do. */
import type { Knex } from 'knex';

interface Holder {
  pid: number;
  application: string | null;
  user: string | null;
  /** Null for a session of another user. */
  state: string | null;
  since: string | null;
}

/** Asked right after the wait: the other session that has had locks on tables of ours for the longest time. */
export async function lockHolder(knex: Knex): Promise<string> {
  const { rows } = await knex.raw<{ rows: Holder[] }>(
    `select pid, application_name as application, usename as user, state,
       to_char(xact_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as since
     from pg_stat_activity a
     where datname = current_database() and pid <> pg_backend_pid() and exists (
       select from pg_locks l join pg_class c on c.oid = l.relation
       where l.pid = a.pid and l.granted and c.relnamespace = current_schema()::regnamespace)
     order by xact_start nulls last limit 1`,
  );
  const [holder] = rows;
  if (holder === undefined)
    return 'no session used them for long. Run it again when there is less traffic, or stop serve and work first';
  const { pid, application, user, state, since } = holder;
  const doing = state === null || since === null ? '' : ` (${state}, since ${since})`;
  return (
    `session ${pid} of ${application || 'an unnamed program'}, user ${user}, has used them for the longest time${doing}. ` +
    `Wait for it or end it (select pg_terminate_backend(${pid})), and run the migration again`
  );
}
