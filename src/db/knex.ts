/** Opens the database: PostgreSQL when a URL is given, else the embedded one, both through the same Knex. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import knexFactory, { type Knex } from 'knex';
import type { Logger } from 'pino';
import { lockDirectory } from './directory-lock.ts';
import { openEmbedded } from './embedded.ts';

export interface Database {
  knex: Knex;
  /** True for PGlite: one session, this process is the only one. */
  embedded: boolean;
  /** The PostgreSQL URL; undefined when embedded. */
  url: string | undefined;
  /**
   * From now on a connection is given up, and its query rejected, when PostgreSQL leaves a query without a word
   * for five seconds. Not for migrations, which may take longer.
   */
  giveUpOnSilence: () => void;
  close: () => Promise<void>;
}

interface DatabaseSettings {
  databaseUrl: string | undefined;
  /** Holds the embedded database's files; undefined keeps them in memory. */
  dataDirectory: string | undefined;
  /** Most connections to PostgreSQL this process opens for its own queries. */
  poolSize: number;
}

/** Rejects when the server cannot be reached or the directory is in use. `onCrash`: the embedded database died. */
export async function openDatabase(
  settings: DatabaseSettings,
  logger: Logger,
  onCrash: (error: Error) => void,
): Promise<Database> {
  return settings.databaseUrl === undefined
    ? openEmbeddedDatabase(settings.dataDirectory, logger, onCrash)
    : openPostgres(settings.databaseUrl, settings.poolSize, logger);
}

/** Where a data directory holds the files of the embedded database. */
export function embeddedFiles(dataDirectory: string): string {
  return join(dataDirectory, 'postgres');
}

async function openEmbeddedDatabase(
  dataDirectory: string | undefined,
  logger: Logger,
  onCrash: (error: Error) => void,
): Promise<Database> {
  let unlock = async () => {};
  let files: string | undefined;
  if (dataDirectory !== undefined) {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    unlock = await lockDirectory(dataDirectory);
    files = embeddedFiles(dataDirectory);
  }
  const embedded = await openEmbedded(files, onCrash);
  const knex = knexFactory({
    client: 'pg',
    // Knex's types do not know node-postgres' `stream`.
    connection: (() => ({ stream: embedded.connect, user: 'postgres', database: 'postgres' })) as never,
    // One that runs, one whose statement waits in the database's thread, one for whatever else there is.
    pool: { min: 1, max: 3, idleTimeoutMillis: 2 ** 31 - 1 },
    log: knexLog(logger),
  });
  return {
    knex,
    embedded: true,
    url: undefined,
    giveUpOnSilence: () => {},
    close: async () => {
      await knex.destroy();
      await embedded.close();
      await unlock();
    },
  };
}

async function openPostgres(url: string, poolSize: number, logger: Logger): Promise<Database> {
  let givingUp = false;
  const afterCreate = (client: PostgresClient, done: (error: undefined, client: PostgresClient) => void) => {
    const { stream } = client.connection;
    // node-postgres' own query_timeout would leave the connection in use, with the answer still to come.
    stream.setTimeout(patienceMs);
    // Comes for idle connections too.
    stream.on('timeout', () => {
      if (givingUp && !client.readyForQuery) stream.destroy(new Error('the database does not answer'));
    });
    done(undefined, client);
  };
  const knex = knexFactory({
    client: 'pg',
    connection: {
      connectionString: url,
      application_name: 'tarishi',
      keepAlive: true,
      connectionTimeoutMillis: patienceMs,
    },
    pool: { min: 0, max: poolSize, afterCreate },
    acquireConnectionTimeout: patienceMs,
    log: knexLog(logger),
  });
  await knex.raw('select 1');
  return {
    knex,
    embedded: false,
    url,
    giveUpOnSilence: () => {
      givingUp = true;
    },
    close: () => knex.destroy(),
  };
}

const patienceMs = 5_000;

/** What Knex's types do not know of node-postgres' client. */
interface PostgresClient {
  connection: {
    stream: {
      setTimeout: (ms: number) => void;
      on: (event: 'timeout', listener: () => void) => void;
      destroy: (error: Error) => void;
    };
  };
  /** False while a query is under way. */
  readyForQuery: boolean;
}

function knexLog(logger: Logger) {
  const log = (level: 'warn' | 'error' | 'debug') => (message: unknown) =>
    logger[level]({ component: 'knex' }, String(message));
  return { warn: log('warn'), error: log('error'), deprecate: log('warn'), debug: log('debug') };
}
