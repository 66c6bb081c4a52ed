/** Opens the database through Knex: PostgreSQL if a URL is set, otherwise the embedded one. */
import knexFactory, { type Knex } from 'knex';
import type { Logger } from 'pino';
import { watchedClient } from './client.ts';
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
import { createOutages, knexLog } from './outage.ts';
import { openPostgres, type PostgresSettings } from './postgres.ts';

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
  /**
   * Does the work of one request, and rejects once it has waited five seconds for PostgreSQL without any answer, however
   * many connections, statements and transactions of others it waited for. What is under way goes on then.
   */
  limitWaits: <Result>(work: () => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}

interface DatabaseSettings extends PostgresSettings {
  databaseUrl: string | undefined;
  /** Holds the embedded database's files; undefined keeps them in memory. */
  dataDirectory: string | undefined;
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
  const database = onEmbedded(embedded, logger);
  return {
    ...database,
    close: async () => {
      await database.close();
      await embedded.close();
      await unlock();
    },
  };
}

/** Connections to an embedded database that is open; `close` ends only them. */
export function onEmbedded(embedded: Pick<EmbeddedDatabase, 'connect'>, logger: Logger): Database {
  const knex = knexFactory({
    client: watchedClient(createOutages(logger, () => true)),
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
    limitWaits: (work) => work(),
    close: () => knex.destroy(),
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
