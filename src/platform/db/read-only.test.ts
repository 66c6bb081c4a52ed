/** A database that turns read-only, such as a fenced primary, is an outage that ends by itself. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { isDatabaseAway } from '../errors/database-away.ts';
import { type Database, openDatabase } from './knex.ts';
import { createFreshDatabase, type FreshUrl } from './testing.ts';

const serverUrl = process.env.DATABASE_URL;
if (serverUrl === undefined)
  process.stdout.write('skipped without DATABASE_URL: the embedded database has one session, which writes\n');
const onPostgres = serverUrl === undefined ? test.skip : test;

const poolSize = 3;
let fresh: FreshUrl | undefined;
let database: Database;

beforeEach(async () => {
  if (serverUrl === undefined) return;
  fresh = await createFreshDatabase(serverUrl);
  const settings = { databaseUrl: fresh.url, dataDirectory: undefined, poolSize };
  database = await openDatabase(settings, pino({ level: 'silent' }), () => {});
});
afterEach(async () => {
  await database?.close();
  await fresh?.drop();
});

/** New sessions take writes or not, present ones stay as they are. */
const setReadOnly = async (on: boolean) => {
  const { pathname } = new URL(fresh?.url ?? '');
  await database.knex.transaction(async (trx) => {
    await trx.raw('set transaction read write');
    await trx.raw(`alter database ${pathname.slice(1)} set default_transaction_read_only = ${on}`);
  });
};

/** As many writes at once as there are connections: whether each failed as an outage. */
const write = () =>
  Promise.all(
    Array.from({ length: poolSize }, () =>
      database.knex.raw('create table if not exists written (); select pg_sleep(0.1)').then(
        () => false,
        (error: unknown) => isDatabaseAway(error) || String(error),
      ),
    ),
  );

onPostgres('each of its sessions fails once; when it takes writes again, new ones do', async () => {
  await database.knex.raw('create table written ()');
  await setReadOnly(true);
  // The sessions from before end, as when a primary is demoted.
  await database.knex
    .raw('select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()')
    .catch(() => {});
  expect(await write()).toEqual([true, true, true]);
  expect(await write()).toEqual([true, true, true]);
  await setReadOnly(false);
  while ((await write()).includes(true));
  expect(await write()).toEqual([false, false, false]);
  expect(await database.knex.raw('select 1')).toBeDefined();
});
