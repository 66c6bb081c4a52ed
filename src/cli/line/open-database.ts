/** The configured database, for a command that works on it without a service. */

import { existsSync } from 'node:fs';
import { pino } from 'pino';
import { embeddedFiles } from '../../platform/db/embedded/data-directory.ts';
import { type Database, openDatabase } from '../../platform/db/knex.ts';
import { pendingMigrations, schemaFault } from '../../platform/db/migrate.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { commandName } from '../../process/command-name.ts';
import type { Config } from '../../process/config.ts';
import { hasSecretKey, openSecrets } from '../../process/secret-key.ts';
import { CommandError } from './errors.ts';

export type OpenAt = typeof openDatabase;

/** Rejects with a CommandError if it does not exist or is not up to date, and with DirectoryInUse. */
export async function openConfigured(config: Config, openAt: OpenAt = openDatabase): Promise<Database> {
  const { databaseUrl, dataDirectory, databaseSessions: sessions } = config;
  // A command in the wrong folder should not create a database there.
  if (databaseUrl === undefined && !existsSync(embeddedFiles(dataDirectory)))
    throw new CommandError(
      `${dataDirectory} contains no database: set DATA_DIR or DATABASE_URL, or create one with ${commandName(dataDirectory)} migrate`,
    );
  const database = await openAt(
    { databaseUrl, dataDirectory, poolSize: 2, sessions },
    pino({ level: 'silent' }),
    (error) => {
      throw error;
    },
  );
  const fault = await schemaFault(database.knex);
  const pending = await pendingMigrations(database.knex);
  if (fault === undefined && pending.length === 0) return database;
  await database.close();
  throw new CommandError(
    fault ?? `the database schema is not up to date: run ${commandName(dataDirectory)} migrate`,
  );
}

/** On PostgreSQL commands do not generate a key: it would differ from the service's. */
export async function secretsOf(config: Config, { knex }: Database): Promise<Secrets> {
  if (config.databaseUrl !== undefined && !hasSecretKey(config))
    throw new CommandError('SECRET_KEY is not set: use the same key as the service');
  return openSecrets(config, knex);
}
