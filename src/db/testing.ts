/** Fresh databases for tests: embedded, or on the PostgreSQL that DATABASE_URL names. */
import { createHash, randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import knexFactory from 'knex';
import { pino } from 'pino';
import { embeddedFiles } from './embedded/data-directory.ts';
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
const cache = join(project, 'node_modules/.cache/tarishi');
/** The files of an empty embedded database with its tables, kept from one test run to the next. */
const kept = join(cache, `embedded-${fingerprint()}`);

/** Changes with whatever the files depend on. */
function fingerprint(): string {
  const hash = createHash('sha256').update(
    readFileSync(join(project, 'node_modules/@electric-sql/pglite/package.json')),
  );
  const migrations = join(project, 'src/db/migrations');
  for (const name of readdirSync(migrations, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.(sql|ts)$/.test(name)) hash.update(readFileSync(join(migrations, name)));
  return hash.digest('hex').slice(0, 16);
}

/** Gives a data directory the files of an empty, migrated database: making them takes seconds, a copy does not. */
export async function copyEmptyDatabase(dataDirectory: string): Promise<void> {
  if (!existsSync(kept)) await makeKept();
  cpSync(kept, embeddedFiles(dataDirectory), { recursive: true });
}

async function makeKept(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const own = mkdtempSync(join(cache, 'new-'));
  const database = await openSilently({ databaseUrl: undefined, dataDirectory: own });
  await migrate(database.knex);
  await database.close();
  for (const former of readdirSync(cache).filter((name) => name.startsWith('embedded-')))
    if (join(cache, former) !== kept) rmSync(join(cache, former), { recursive: true, force: true });
  try {
    renameSync(embeddedFiles(own), kept);
  } catch (error) {
    // Another test process was first.
    if (!existsSync(kept)) throw error;
  }
  rmSync(own, { recursive: true });
}

function openSilently(where: { databaseUrl: string | undefined; dataDirectory: string }): Promise<Database> {
  return openDatabase({ ...where, poolSize: 8 }, pino({ level: 'silent' }), fail);
}

/** A migrated, empty database; `close` leaves nothing behind. `databaseUrl` is the test run's DATABASE_URL. */
export async function openTestDatabase(databaseUrl: string | undefined): Promise<Database> {
  const fresh = databaseUrl === undefined ? undefined : await createFreshDatabase(databaseUrl);
  const dataDirectory = mkdtempSync(join(tmpdir(), 'tarishi-test-'));
  if (fresh === undefined) await copyEmptyDatabase(dataDirectory);
  const database = await openSilently({ databaseUrl: fresh?.url, dataDirectory });
  if (fresh !== undefined) await migrate(database.knex);
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
