/** Migrations: on an older or newer database, failed, killed halfway, and two at once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Knex } from 'knex';
import { pino } from 'pino';
import { type Database, openDatabase } from './knex.ts';
import { type Migrations, migrate, migrations, pendingMigrations } from './migrate.ts';
import { dumpSchema } from './schema-testing.ts';
import { createFreshDatabase, type FreshUrl, openTestDatabase } from './testing.ts';

const serverUrl = process.env.DATABASE_URL;

/** Stands for the next release. */
const next: Migrations = {
  ...migrations,
  '0999_mottos': { up: (trx) => trx.raw("alter table teams add column motto text not null default 'none'") },
};

test('an older database gets only what it lacks, and keeps its rows', async () => {
  const database = await openTestDatabase(serverUrl);
  const { knex } = database;
  await knex('teams').insert({ id: 'one', name: 'Team One' });
  expect(await pendingMigrations(knex)).toEqual([]);
  expect(await pendingMigrations(knex, next)).toEqual(['0999_mottos']);
  await migrate(knex, next);
  expect(await pendingMigrations(knex, next)).toEqual([]);
  expect(await knex('teams').select('id', 'name', 'motto')).toEqual([
    { id: 'one', name: 'Team One', motto: 'none' },
  ]);
  await database.close();
});

test('an upgrade that fails leaves the older database as it was', async () => {
  const database = await openTestDatabase(serverUrl);
  const { knex } = database;
  const before = [await applied(knex), await dumpSchema(knex)];
  const failing = { up: (trx: Knex) => trx.raw('alter table nowhere add column motto text') };
  await expect(migrate(knex, { ...next, '0999_next_failing': failing })).rejects.toThrow('does not exist');
  expect([await applied(knex), await dumpSchema(knex)]).toEqual(before);
  await migrate(knex, next);
  expect(await applied(knex)).toEqual(Object.keys(next));
  await database.close();
});

test('what generated columns and indexes call is found with an empty search path, as pg_restore has it', async () => {
  const database = await openTestDatabase(serverUrl);
  // A body of statements knows what it calls; one that is text looks names up whenever it runs.
  const { rows } = await database.knex.raw(
    `select caller.proname as caller, called.proname as called from pg_proc caller
     join pg_proc called on called.pronamespace = caller.pronamespace
       and caller.prosrc ~ ('\\m' || called.proname || '\\s*\\(')
     where caller.pronamespace = 'public'::regnamespace and caller.provolatile = 'i' and caller.prosqlbody is null`,
  );
  const keys = await database.knex.transaction(async (trx) => {
    await trx.raw(`set local search_path to ''`);
    return (await trx.raw(`select public.sender_keys('A.b', '[]') as keys`)).rows;
  });
  await database.close();
  expect([rows, keys]).toEqual([[], [{ keys: ['ab'] }]]);
});

test('a database that a newer release has migrated is rejected', async () => {
  const database = await openTestDatabase(serverUrl);
  await migrate(database.knex, next);
  await expect(migrate(database.knex)).rejects.toThrow('0999_mottos');
  await database.close();
});

test.each([
  ['of which the digest is another', (knex: Knex) => knex('knex_migrations').update({ digest: 'other' })],
  [
    'from before digests were kept',
    (knex: Knex) => knex.raw('alter table knex_migrations drop column digest'),
  ],
])('a database with tables of a development version, %s, is rejected with what to do', async (_how, alter) => {
  const database = await openTestDatabase(serverUrl);
  await alter(database.knex);
  await expect(migrate(database.knex)).rejects.toThrow('begin with an empty database');
  await database.close();
});

test("another application's migrations are not taken for those of a newer version", async () => {
  const database = await openEmpty(serverUrl);
  await migrate(database.knex, {
    '20200101_users': { up: (trx) => trx.raw('create table users (id text)') },
  });
  await expect(migrate(database.knex)).rejects.toThrow('has tables of another application');
  await database.close();
});

test('a first migration that fails leaves nothing, and the next migrator creates everything', async () => {
  const database = await openEmpty(serverUrl);
  await database.knex.raw('create table receipt_origins (origin text)');
  await expect(migrate(database.knex)).rejects.toThrow('has tables of another application');
  expect(await tables(database.knex)).toEqual(['receipt_origins']);
  await database.knex.raw('drop table receipt_origins');
  await migrate(database.knex);
  expect(await tables(database.knex)).toContain('messages');
  await database.close();
});

const reason = 'needs DATABASE_URL: the embedded database has one session';
const onPostgres = serverUrl === undefined ? describe.skip : describe;

onPostgres(`on PostgreSQL (${serverUrl === undefined ? `skipped: it ${reason}` : 'DATABASE_URL'})`, () => {
  let fresh: FreshUrl;
  let database: Database;

  beforeAll(async () => {
    fresh = await createFreshDatabase(serverUrl ?? '');
    database = await openUrl(fresh.url);
  });
  afterAll(async () => {
    await database?.close();
    await fresh?.drop();
  });

  test('a migrator killed halfway leaves nothing, and the next one creates everything', async () => {
    const { knex } = database;
    // An uncommitted table of the same name holds the migrator in the middle of its work.
    const obstacle = await knex.transaction();
    await obstacle.raw('create table receipt_origins (origin text)');
    const victim = spawn(process.execPath, ['src/main.ts', 'migrate'], {
      cwd: new URL('../../..', import.meta.url),
      env: { PATH: process.env.PATH, LOG_LEVEL: 'error', DATABASE_URL: fresh.url, DATA_DIR: tmpdir() },
      stdio: 'ignore',
    });
    await until(async () => (await sessions(knex, "wait_event_type = 'Lock'")) === 1);
    const ended = once(victim, 'close');
    victim.kill('SIGKILL');
    await ended;
    await obstacle.rollback();
    await until(async () => (await sessions(knex, 'true')) === 0);
    expect(await tables(knex)).toEqual([]);
    await migrate(knex);
    expect(await tables(knex)).toContain('messages');
  });

  /** Two connections to a database of their own. */
  const withTwo = async (work: (migrator: Knex, user: Knex) => Promise<void>) => {
    const another = await createFreshDatabase(serverUrl ?? '');
    const [migrator, user] = await Promise.all([openUrl(another.url), openUrl(another.url)]);
    await work(migrator.knex, user.knex);
    for (const one of [migrator, user]) await one.close();
    await another.drop();
  };

  test('while a table is in use a migration neither keeps others waiting nor fails: it is tried again', () =>
    withTwo(async (migrator, user) => {
      await migrate(migrator);
      const use = await user.transaction();
      await use('teams').insert({ id: 'one', name: 'Team One' });
      let done = false;
      const migrated = migrate(migrator, next).finally(() => {
        done = true;
      });
      await until(async () => (await sessions(user, "wait_event_type = 'Lock'")) === 1);
      await until(async () => (await sessions(user, "wait_event_type = 'Lock'")) === 0);
      await user('teams').count();
      expect(done).toBe(false);
      await use.commit();
      expect(await migrated).toEqual(['0999_mottos']);
    }));

  test('a table that stays in use: the migration ends with who uses it, and leaves everything as it was', () =>
    withTwo(async (migrator, user) => {
      await migrate(migrator);
      const use = await user.transaction();
      await use('teams').count();
      const { rows } = await use.raw('select pg_backend_pid() as pid');
      const tries = 2;
      await expect(migrate(migrator, next, undefined, tries)).rejects.toThrow(
        new RegExp(
          `at each of 2 tries, and nothing was changed: session ${rows[0].pid} of tarishi, user \\S+, .*` +
            `\\(idle in transaction, since \\S+Z\\)\\. .*pg_terminate_backend\\(${rows[0].pid}\\)`,
        ),
      );
      expect(await applied(migrator)).toEqual(Object.keys(migrations));
      await use.rollback();
    }));

  test('of two concurrent migrators one works and the other waits', async () => {
    for (let trial = 0; trial < 5; trial += 1)
      await withTwo(async (one, other) => {
        await Promise.all([migrate(one, next), migrate(other, next)]);
        expect(await applied(one)).toEqual(Object.keys(next));
        expect(await dumpSchema(one)).toContain('motto text');
      });
  });
});

/** Without any table; `close` leaves nothing behind. */
async function openEmpty(url: string | undefined): Promise<Database> {
  if (url === undefined) return openUrl(undefined);
  const fresh = await createFreshDatabase(url);
  const database = await openUrl(fresh.url);
  return {
    ...database,
    close: async () => {
      await database.close();
      await fresh.drop();
    },
  };
}

function openUrl(databaseUrl: string | undefined): Promise<Database> {
  const settings = { databaseUrl, dataDirectory: undefined, poolSize: 3 };
  return openDatabase(settings, pino({ level: 'silent' }), (error) => {
    throw error;
  });
}

async function applied(knex: Knex): Promise<string[]> {
  return (await knex('knex_migrations').orderBy('id')).map(({ name }) => name);
}

async function tables(knex: Knex): Promise<string[]> {
  const rows = await knex('pg_tables').where('schemaname', 'public').orderBy('tablename');
  return rows.map(({ tablename }) => tablename);
}

/** Other sessions of this database that are at work. */
async function sessions(knex: Knex, condition: string): Promise<number> {
  const { rows } = await knex.raw(
    `select count(*)::integer as count from pg_stat_activity where datname = current_database()
     and pid <> pg_backend_pid() and state <> 'idle' and ${condition}`,
  );
  return rows[0].count;
}

/** The test's own time limit ends a wait in vain. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}
