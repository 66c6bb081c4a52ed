/** One source of time for every statement of ours: service_now(), and service_clock() inside a transaction. */
import type { Knex } from 'knex';

/*
 * Statements, column defaults and functions ask these instead of PostgreSQL, so that whoever replaces service_now()
 * moves all of them. Both are inlined: a plan is the same as with now().
 */
export async function up(trx: Knex): Promise<void> {
  await trx.raw(`
    create function service_now() returns timestamptz language sql stable parallel safe
      as $body$ select now() $body$;

    -- Moves on within a transaction, for those that wait for a lock before they read the time.
    create function service_clock() returns timestamptz language sql volatile parallel safe
      as $body$ select clock_timestamp() + (service_now() - now()) $body$;

    do $body$
    declare
      command text;
    begin
      for command in
        select format('alter table %s alter %I set default service_now()', d.adrelid::regclass, a.attname)
        from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
        where pg_get_expr(d.adbin, d.adrelid) = 'now()' and d.adrelid in (
          select oid from pg_class where relnamespace = 'public'::regnamespace)
      loop
        execute command;
      end loop;
      execute replace(pg_get_functiondef('rate_count_in'::regproc), 'clock_timestamp()', 'service_clock()');
    end
    $body$;
  `);
}
