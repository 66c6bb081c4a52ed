/** Checks what the migration tests compare databases with. */
import { expect, test } from '@jest/globals';
import { dumpSchema } from './schema-testing.ts';
import { openTestDatabase } from './testing.ts';

test('the dump sees a column, a constraint, an index, a function and a trigger that were not there', async () => {
  const database = await openTestDatabase(process.env.DATABASE_URL);
  const lines = new Set((await dumpSchema(database.knex)).split('\n'));
  await database.knex.raw(`
    alter table teams add column motto text default 'none' constraint motto_length check (char_length(motto) < 9);
    create index teams_motto on teams (motto);
    create function same(value integer) returns integer language sql as 'select value';
    create trigger teams_are_final before delete on teams for each row
      execute function ledger_entries_are_final();
  `);
  const added = (await dumpSchema(database.knex)).split('\n').filter((line) => !lines.has(line));
  await database.close();
  expect(added).toEqual([
    "  motto text default 'none'::text,",
    '  constraint motto_length CHECK ((char_length(motto) < 9)),',
    'CREATE INDEX teams_motto ON public.teams USING btree (motto);',
    'CREATE OR REPLACE FUNCTION public.same(value integer)',
    ' RETURNS integer',
    'AS $function$select value$function$;',
    'CREATE TRIGGER teams_are_final BEFORE DELETE ON public.teams FOR EACH ROW EXECUTE FUNCTION ledger_entries_are_final();',
  ]);
});
