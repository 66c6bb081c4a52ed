/** Moves the time of SQL in one place, as only a test or a sandbox does, and looks at what follows it. */
import { expect, test } from '@jest/globals';
import { openTestDatabase } from './testing.ts';

test('replacing service_now() moves statements, column defaults and the time inside transactions', async () => {
  const { knex, close } = await openTestDatabase(process.env.DATABASE_URL);
  try {
    const hoursAhead = async () => {
      const { rows } = await knex.raw(`
        with made as (insert into teams (id, name) values (gen_random_uuid()::text, 'Team') returning created_at)
        select round(extract(epoch from created_at - now()) / 3600)::integer as "column",
          round(extract(epoch from service_now() - now()) / 3600)::integer as statement,
          round(extract(epoch from service_clock() - now()) / 3600)::integer as clock
        from made`);
      return rows[0];
    };
    expect(await hoursAhead()).toEqual({ column: 0, statement: 0, clock: 0 });
    await knex.raw(`create or replace function service_now() returns timestamptz language sql stable parallel safe
      as $body$ select now() + interval '72 hours' $body$`);
    expect(await hoursAhead()).toEqual({ column: 72, statement: 72, clock: 72 });
  } finally {
    await close();
  }
});
