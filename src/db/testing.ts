/** Fresh databases for tests: embedded, or on the PostgreSQL that DATABASE_URL names. */
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import knexFactory from 'knex';
import { pino } from 'pino';
import { embeddedFiles } from './embedded/data-directory.ts';
import { openEmbedded } from './embedded/embedded.ts';
import { type Database, openDatabase } from './knex.ts';
import { migrate } from './migrate.ts';

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

const project = fileURLToPath(new URL('../..', import.meta.url));
const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
/** The files of an empty embedded database, kept from one test run to the next. */
const kept = join(
  project,
  `node_modules/.cache/tarishi/embedded-${dependencies['@electric-sql/pglite'] as string}`,
);

/** Gives a data directory the files of an empty embedded database: making them takes seconds, a copy does not. */
export async function copyEmptyDatabase(dataDirectory: string): Promise<void> {
  if (!existsSync(kept)) await makeKept();
  cpSync(kept, embeddedFiles(dataDirectory), { recursive: true });
}

async function makeKept(): Promise<void> {
  mkdirSync(dirname(kept), { recursive: true });
  const own = mkdtempSync(`${kept}-`);
  const database = await openEmbedded(own, fail);
  await database.close();
  try {
    renameSync(own, kept);
  } catch (error) {
    // Another test process was first.
    if (!existsSync(kept)) throw error;
    rmSync(own, { recursive: true });
  }
}

/** A migrated, empty database; `close` leaves nothing behind. `databaseUrl` is the test run's DATABASE_URL. */
export async function openTestDatabase(databaseUrl: string | undefined): Promise<Database> {
  const fresh = databaseUrl === undefined ? undefined : await createFreshDatabase(databaseUrl);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tarishi-test-'));
  if (fresh === undefined) await copyEmptyDatabase(dataDirectory);
  const database = await openDatabase(
    { databaseUrl: fresh?.url, dataDirectory, poolSize: 8 },
    pino({ level: 'silent' }),
    fail,
  );
  await migrate(database.knex);
  return {
    ...database,
    close: async () => {
      await database.close();
      await fresh?.drop();
      rmSync(dataDirectory, { recursive: true });
    },
  };
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
