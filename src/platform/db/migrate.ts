/** Brings the database's tables up to date, one migrator at a time. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { startProgress } from '../progress.ts';
import { own } from '../text/own.ts';
import { lockHolder } from './lock-holder.ts';
import { initial } from './migrations/0001_initial.ts';
import { type Migration, sqlMigration } from './migrations/sql.ts';

/** Those of tests have no digest. */
export type Migrations = Record<string, Pick<Migration, 'up'> & Partial<Migration>>;

/** Every migration, in order. Once released, a migration is never edited. */
export const migrations: Migrations = {
  '0001_initial': sqlMigration(...initial),
  '0002_restored_senders': sqlMigration('0002_restored_senders.sql'),
};

type Report = (done: number) => void;

/** Any number that nothing else in this database takes as an advisory lock. */
const migratorLock = 7_411_001;

/** How long to wait for a table that running processes use. Whoever needs it then waits behind this. */
const lockTimeoutMs = 500;
const pauseMs = 200;
/** A few minutes. */
const defaultTries = 500;
/** PostgreSQL's codes of a lock that was not granted: not in time, or because of a deadlock. */
const busy: ReadonlySet<unknown> = new Set(['55P03', '40P01']);

/**
 * Applies what is missing, and returns its names; `report` gets how many are applied. All of it is one transaction behind an
 * advisory lock: a second migrator waits, a killed one leaves nothing behind, not even Knex's own lock row. Running processes
 * come first: while they use a table that is to change, everything is undone and tried again, counted from 0.
 */
export async function migrate(
  knex: Knex,
  known = migrations,
  report: Report = () => {},
  mostTries = defaultTries,
): Promise<string[]> {
  for (let tries = 1; ; tries += 1)
    try {
      return await migrateOnce(knex, known, report);
    } catch (error) {
      if (!busy.has((error as { code?: unknown }).code)) throw error;
      if (tries === mostTries)
        throw new Error(
          `tables that the migration changes were in use at each of ${mostTries} tries, and nothing was changed: ${await lockHolder(knex)}`,
          { cause: error },
        );
      await delay(pauseMs);
    }
}

async function migrateOnce(knex: Knex, known: Migrations, report: Report): Promise<string[]> {
  let done = 0;
  return knex.transaction(async (trx) => {
    await trx.raw('select pg_advisory_xact_lock(?)', [migratorLock]);
    await trx.raw(`set local lock_timeout = ${lockTimeoutMs}`);
    const fault = await schemaFault(trx, known);
    if (fault !== undefined) throw new Error(fault);
    const isFirst = !(await trx.schema.hasTable('knex_migrations'));
    const latest: Promise<[number, string[]]> = trx.migrate.latest({
      disableTransactions: true,
      migrationSource: {
        getMigrations: async () => Object.keys(known),
        getMigrationName: (name: string) => name,
        getMigration: async (name: string) => {
          const migration = own(known, name);
          if (migration === undefined) throw new Error(`unknown migration ${name}`);
          const up = async (within: Knex) => {
            await migration.up(within);
            report(++done);
          };
          return { up, down: noWayBack };
        },
      },
    });
    const [, applied] = await latest.catch((error: { code?: unknown }) => {
      throw isFirst && existing.has(error.code) ? new Error(ofAnotherApplication, { cause: error }) : error;
    });
    await noteDigests(trx, known, applied);
    return applied;
  });
}

const ofAnotherApplication =
  'this database has tables of another application: give Tarishi a database of its own (DATABASE_URL)';

/** PostgreSQL's codes of what already exists: a table, another object, a function. */
const existing: ReadonlySet<unknown> = new Set(['42P07', '42710', '42723']);

/** Why no migration leads from the tables of this database to those of this version; undefined: one does, or none is missing. */
export async function schemaFault(knex: Knex, known = migrations): Promise<string | undefined> {
  if (!(await knex.schema.hasTable('knex_migrations'))) return undefined;
  const applied: { name: string; digest?: string | null }[] = await knex('knex_migrations').orderBy('id');
  // Every version of Tarishi has the first one.
  if (applied.length > 0 && applied.every(({ name }) => own(known, name) === undefined))
    return ofAnotherApplication;
  const newer = applied.map(({ name }) => name).filter((name) => own(known, name) === undefined);
  if (newer.length > 0)
    return `a newer version of Tarishi has migrated this database (${newer.join(', ')}): run that version`;
  const edited = applied.filter(({ name, digest }) => {
    const expected = own(known, name)?.digest?.();
    return expected !== undefined && digest !== expected;
  });
  if (edited.length === 0) return undefined;
  return (
    'a development version of Tarishi with other tables has made this database, and no migration leads from there to this ' +
    'version. Run that version, or begin with an empty database: another DATA_DIR or DATABASE_URL'
  );
}

/** Beside the names that Knex keeps, so that both are written and rolled back together. */
async function noteDigests(trx: Knex, known: Migrations, applied: readonly string[]): Promise<void> {
  if (applied.length === 0) return;
  await trx.raw('alter table knex_migrations add column if not exists digest text');
  for (const name of applied)
    await trx('knex_migrations')
      .where({ name })
      .update({ digest: own(known, name)?.digest?.() ?? null });
}

/** The same, with its progress on the terminal. */
export async function migrateVisibly(knex: Knex): Promise<string[]> {
  const progress = startProgress((await pendingMigrations(knex)).length, 'migrations');
  try {
    return await migrate(knex, migrations, (done) => progress.at(done));
  } finally {
    progress.end();
  }
}

/** Names of the migrations that this database has not seen. */
export async function pendingMigrations(knex: Knex, known = migrations): Promise<string[]> {
  if (!(await knex.schema.hasTable('knex_migrations'))) return Object.keys(known);
  const applied: string[] = await knex('knex_migrations').pluck('name');
  return Object.keys(known).filter((name) => !applied.includes(name));
}

async function noWayBack(): Promise<void> {
  throw new Error('migrations only go forward');
}
