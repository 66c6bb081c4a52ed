/** Lets the tests that a jest worker runs use one embedded database after the other: emptying it takes a tenth of opening another. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { embeddedFiles } from './embedded/data-directory.ts';
import type { EmbeddedDatabase } from './embedded/embedded.ts';
import type { KeptDatabase, KeptDatabases } from './kept-databases-testing.ts';
import { type Database, onEmbedded } from './knex.ts';

/** A database as it was when it was empty: what its tables have, SQL that sets its sequences, and its schema. */
interface Empty {
  rows: { table: string; rows: string }[];
  sequences: string;
  schema: string;
}

const { keptDatabases: kept } = globalThis as unknown as { keptDatabases: KeptDatabases };
/** More were open at once in a file that is over. */
const mostIdle = 2;

const silent = pino({ level: 'silent' });

/** An empty database, whose `close` empties it for the next; `fill` puts the files of an empty one into a directory. */
export async function openReused(fill: (dataDirectory: string) => Promise<void>): Promise<Database> {
  const one = kept.idle.pop() ?? (await openNew(fill));
  one.hold(true);
  const database = onEmbedded(one.embedded, silent);
  return {
    ...database,
    close: async () => {
      await database.close();
      if (!(await isEmptied(one)) || kept.idle.length >= mostIdle) return end(one);
      one.hold(false);
      kept.idle.push(one);
    },
  };
}

async function openNew(fill: (dataDirectory: string) => Promise<void>): Promise<KeptDatabase> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tarishi-test-'));
  await fill(dataDirectory);
  const one = await kept.open(embeddedFiles(dataDirectory), dataDirectory);
  one.empty = JSON.stringify(await onSession(one.embedded, readEmpty));
  return one;
}

async function readEmpty(knex: Knex): Promise<Empty> {
  const { rows: tables } = await knex.raw<{ rows: { name: string }[] }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const all = tables.map(
    ({ name }) => `select '${name}' as table, json_agg(t)::text as rows from "${name}" t having count(*) > 0`,
  );
  const { rows } = await knex.raw<{ rows: Empty['rows'] }>(all.join(' union all '));
  const { rows: sequences } = await knex.raw<{ rows: { sql: string }[] }>(
    `select format('select setval(%L, %s, %L)', quote_ident(sequencename), coalesce(last_value, start_value),
       last_value is not null) as sql from pg_sequences`,
  );
  return { rows, sequences: sequences.map(({ sql }) => sql).join(';'), schema: await schemaOf(knex) };
}

async function end({ embedded, dataDirectory }: KeptDatabase): Promise<void> {
  await embedded.close();
  rmSync(dataDirectory, { recursive: true });
}

/** False if a test changed its schema or its settings. */
function isEmptied({ embedded, empty }: KeptDatabase): Promise<boolean> {
  const { rows, sequences, schema }: Empty = JSON.parse(empty);
  return onSession(embedded, async (knex) => {
    await knex.raw('discard all');
    if ((await schemaOf(knex)) !== schema) return false;
    // `truncate` makes new files for each index: a delete is quicker where little was stored, and no statistics were made.
    const { rows: used } = await knex.raw<{ rows: { name: string; isLarge: boolean }[] }>(
      `select format('%I', relname) as name, pg_relation_size(oid) > 65536 or reltuples > 0 as "isLarge" from pg_class
       where relnamespace = 'public'::regnamespace and relkind = 'r' and pg_relation_size(oid) > 0`,
    );
    const small = used.filter(({ isLarge }) => !isLarge).map(({ name }) => `delete from ${name};`);
    const large = used.filter(({ isLarge }) => isLarge).map(({ name }) => name);
    await knex.raw(
      `set session_replication_role = replica;
       ${small.join('')}
       ${large.length === 0 ? '' : `truncate ${large.join(', ')} cascade;`}
       ${rows.map(insertAgain).join(';')};
       ${sequences};
       reset session_replication_role`,
    );
    return true;
  });
}

const insertAgain = ({ table, rows }: Empty['rows'][number]) =>
  `insert into "${table}" overriding system value
   select * from json_populate_recordset(null::"${table}", '${rows.replaceAll("'", "''")}')`;

async function onSession<Result>(
  embedded: EmbeddedDatabase,
  work: (knex: Knex) => Promise<Result>,
): Promise<Result> {
  const { knex, close } = onEmbedded(embedded, silent);
  try {
    return await work(knex);
  } finally {
    await close();
  }
}

/** Changes when a table, a column, a constraint, a trigger, a function or a setting does. */
async function schemaOf(knex: Knex): Promise<string> {
  const ours = `in (select oid from pg_class where relnamespace = 'public'::regnamespace)`;
  const { rows } = await knex.raw<{ rows: [{ schema: string }] }>(
    `select md5(string_agg(part, ',' order by part collate "C")) as schema from (
       select concat_ws(' ', relname, relkind, reloptions, relpersistence) as part from pg_class
       where relnamespace = 'public'::regnamespace
       union all select concat_ws(' ', attrelid, attname, atttypid, attnotnull, atthasdef) from pg_attribute
       where attrelid ${ours} and attnum > 0
       union all select concat_ws(' ', adrelid, adnum, adbin) from pg_attrdef
       union all select concat_ws(' ', conrelid, conname, conbin) from pg_constraint where conrelid ${ours}
       union all select concat_ws(' ', tgrelid, tgname, tgenabled) from pg_trigger where tgrelid ${ours}
       union all select concat_ws(' ', proname, prosrc) from pg_proc
       where pronamespace = 'public'::regnamespace
       union all select nspname from pg_namespace where nspname not like 'pg%temp%'
       union all select concat_ws(' ', setdatabase, setrole, setconfig) from pg_db_role_setting
       union all select rolname from pg_roles
     ) as parts`,
  );
  return rows[0].schema;
}
