/** Opens the database through Knex: PostgreSQL if a URL is set, otherwise the embedded one. */
import knexFactory, { type Knex } from 'knex';
import type { Logger } from 'pino';
import {
  checkDataDirectory,
  closeToOthers,
  embeddedFiles,
  makeDataDirectory,
  makeFiles,
  remedy,
} from './embedded/data-directory.ts';
import { lockDirectory } from './embedded/directory-lock.ts';
import { type EmbeddedDatabase, openEmbedded } from './embedded/embedded.ts';
import { watchOutages } from './outage.ts';
import { unreachable, whenReachable } from './reach.ts';

export interface Database {
  knex: Knex;
  /** True for PGlite: one session, this process is the only one. */
  embedded: boolean;
  /** The PostgreSQL URL; undefined when embedded. */
  url: string | undefined;
  /**
   * From now on a connection is closed, and its query rejected, if PostgreSQL is silent for five seconds during a
   * query. Not for migrations, which may take longer.
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
  /** Waits for a server that is starting or out of reach, instead of failing. */
  waits?: boolean;
}

/** Rejects when the server cannot be reached or the directory is in use. `onCrash`: the embedded database died. */
export async function openDatabase(
  settings: DatabaseSettings,
  logger: Logger,
  onCrash: (error: Error) => void,
): Promise<Database> {
  return settings.databaseUrl === undefined
    ? openEmbeddedDatabase(settings.dataDirectory, logger, onCrash)
    : openPostgres(settings.databaseUrl, settings, logger);
}

async function openEmbeddedDatabase(
  dataDirectory: string | undefined,
  logger: Logger,
  onCrash: (error: Error) => void,
): Promise<Database> {
  const { embedded, unlock } =
    dataDirectory === undefined
      ? { embedded: await openEmbedded(undefined, onCrash), unlock: async () => {} }
      : await openLocked(dataDirectory, onCrash);
  const knex = knexFactory({
    client: 'pg',
    // Knex's types do not know node-postgres' `stream`.
    connection: (() => ({ stream: embedded.connect, user: 'postgres', database: 'postgres' })) as never,
    // One that runs, one whose statement waits in the database's thread, one for whatever else there is.
    pool: { min: 1, max: 3, idleTimeoutMillis: 2 ** 31 - 1 },
    log: knexLog(logger),
  });
  watchOutages(knex, logger, () => true);
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

/** Opens the files of a data directory that is whole, and that no other process uses. */
async function openLocked(
  directory: string,
  onCrash: (error: Error) => void,
): Promise<{ embedded: EmbeddedDatabase; unlock: () => Promise<void> }> {
  // PGlite makes its files for everybody to read and to write.
  process.umask(0o077);
  makeDataDirectory(directory);
  const unlock = await lockDirectory(directory);
  try {
    const { first } = checkDataDirectory(directory);
    closeToOthers(directory);
    const open = () => openEmbedded(embeddedFiles(directory), onCrash);
    return { embedded: await (first ? makeFiles(directory, open) : open().catch(refuseDamaged)), unlock };
  } catch (error) {
    await unlock();
    throw error;
  }

  function refuseDamaged(error: Error): never {
    throw new Error(
      `the embedded database in ${embeddedFiles(directory)} cannot be opened, ` +
        `its files seem to be damaged (${error.message}). ${remedy}`,
    );
  }
}

async function openPostgres(
  url: string,
  { poolSize, waits = false }: DatabaseSettings,
  logger: Logger,
): Promise<Database> {
  let givingUp = false;
  const afterCreate = (
    client: PostgresClient,
    done: (error: Error | null, client: PostgresClient) => void,
  ) => {
    const { stream } = client.connection;
    // node-postgres' own query_timeout would leave the connection in use, with the response still to come.
    stream.setTimeout(patienceMs);
    // Comes for idle connections too.
    stream.on('timeout', () => {
      if (givingUp && !client.readyForQuery) stream.destroy(new Error('the database does not respond'));
    });
    // Compiling the larger statements takes seconds of CPU where running them takes milliseconds.
    client.query('set jit = off', (error) => done(error, client));
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
  watchOutages(knex, logger, () => givingUp);
  const connect = async () => knex.raw('select 1');
  await (waits ? whenReachable(logger, connect) : connect()).catch(async (error: unknown) => {
    await knex.destroy();
    throw unreachable(url, error);
  });
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
  query: (text: string, callback: (error: Error | null) => void) => void;
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
  const log = (level: 'warn' | 'error' | 'debug') => (message: unknown) => {
    const text = String(message);
    // One for every query of an outage, which has a line of its own.
    const common = /^(Acquire connection error|Connection Error)/.test(text);
    logger[common ? 'debug' : level]({ component: 'knex' }, text);
  };
  return { warn: log('warn'), error: log('error'), deprecate: log('warn'), debug: log('debug') };
}
