/** Fresh databases for tests: embedded and in memory, or on the PostgreSQL that DATABASE_URL names. */
import { randomBytes } from 'node:crypto';
import knexFactory from 'knex';
import { pino } from 'pino';
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

/** A migrated, empty database; `close` leaves nothing behind. `databaseUrl` is the test run's DATABASE_URL. */
export async function openTestDatabase(databaseUrl: string | undefined): Promise<Database> {
  const fresh = databaseUrl === undefined ? undefined : await createFreshDatabase(databaseUrl);
  const database = await openDatabase(
    { databaseUrl: fresh?.url, dataDirectory: undefined, poolSize: 8 },
    pino({ level: 'silent' }),
    (error) => {
      throw error;
    },
  );
  await migrate(database.knex);
  return {
    ...database,
    close: async () => {
      await database.close();
      await fresh?.drop();
    },
  };
}

async function onServer(url: string, statement: string): Promise<void> {
  const knex = knexFactory({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
  try {
    await knex.raw(statement);
  } finally {
    await knex.destroy();
  }
}
