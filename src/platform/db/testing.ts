/** Fresh databases for tests: embedded, or on the PostgreSQL that DATABASE_URL names. */
import { randomBytes } from 'node:crypto';
import { cpSync } from 'node:fs';
import knexFactory, { type Knex } from 'knex';
import { pino } from 'pino';
import { embeddedFiles } from './embedded/data-directory.ts';
import { keptDirectory } from './kept-testing.ts';
import { type Database, openDatabase } from './knex.ts';
import { migrate } from './migrate.ts';
import { openReused } from './reused-testing.ts';

export interface FreshUrl {
  url: string;
  drop: () => Promise<void>;
}

/** Creates an empty database beside the one that `serverUrl` names. */
export async function createFreshDatabase(serverUrl: string): Promise<FreshUrl> {
  const name = `tarishi_test_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(serverUrl, `drop database if exists ${name} with (force)`) };
}

/** Gives a data directory the files of an empty, migrated database: making them takes seconds, a copy does not. */
export async function copyEmptyDatabase(dataDirectory: string): Promise<void> {
  const kept = await keptDirectory({ name: 'embedded', sources: emptySources, make: makeEmpty });
  cpSync(embeddedFiles(kept), embeddedFiles(dataDirectory), { recursive: true });
}

const emptySources = [
  'node_modules/@electric-sql/pglite/package.json',
  'src/platform/db/migrate.ts',
  'src/platform/db/migrations',
];

async function makeEmpty(directory: string): Promise<void> {
  const database = await openSilently({ databaseUrl: undefined, dataDirectory: directory });
  await migrate(database.knex);
  await database.close();
}

function openSilently(where: {
  databaseUrl: string | undefined;
  dataDirectory: string | undefined;
}): Promise<Database> {
  return openDatabase({ ...where, poolSize: 8 }, pino({ level: 'silent' }), fail);
}

/** A migrated, empty database; `close` leaves nothing behind. `databaseUrl` is the test run's DATABASE_URL. */
export async function openTestDatabase(databaseUrl: string | undefined): Promise<Database> {
  if (databaseUrl === undefined) return openReused(copyEmptyDatabase);
  const fresh = await createFreshDatabase(databaseUrl);
  const database = await openSilently({ databaseUrl: fresh.url, dataDirectory: undefined });
  await migrate(database.knex);
  return {
    ...database,
    close: async () => {
      await database.close();
      await fresh.drop();
    },
  };
}

/**
 * Empties tables, such as `jobs, messages`, and those that refer to them, without what a delete sets off. `truncate` would
 * make new files for every table and index: with a few of them that takes longer than a test.
 */
export async function clearTables(knex: Knex, tables: string): Promise<void> {
  await knex.raw(
    `set session_replication_role = replica;
     do $$ declare cleared regclass; begin
       for cleared in
         with recursive named as (
           select name::regclass as id from string_to_table('${tables}', ', ') as name
           union select conrelid::regclass from pg_constraint join named on confrelid = named.id where contype = 'f'
         ) select id from named
       loop execute format('delete from %s', cleared); end loop;
     end $$;
     reset session_replication_role`,
  );
}

/** Sets the database's clock to so many minutes ahead of the machine's. */
export async function setClock(knex: Knex, minutes: number): Promise<void> {
  await knex.raw(`create or replace function service_now() returns timestamptz language sql stable parallel safe
    as $body$ select now() + interval '${minutes} minutes' $body$`);
}

function fail(error: Error): never {
  throw error;
}

async function onServer(url: string, statement: string): Promise<void> {
  const knex = knexFactory({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  try {
    await knex.raw(statement);
  } finally {
    await knex.destroy();
  }
}
