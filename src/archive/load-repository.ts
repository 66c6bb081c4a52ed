/** How busy the database is with others. */
import type { Knex } from 'knex';

/** Statements that run now, but for this one. The embedded database has one session, and none of them. */
export async function statementsUnderWay(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ active: number }] }>(
    `select count(*)::integer as active from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and state = 'active' and pid <> pg_backend_pid()`,
  );
  return rows[0].active;
}
