/** Opens the database and the secrets for a command, and says who runs it. */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { pino } from 'pino';
import type { Secrets } from '../../clients/secrets.ts';
import { systemClock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { embeddedFiles } from '../../db/embedded/data-directory.ts';
import { DirectoryInUse } from '../../db/embedded/directory-lock.ts';
import { type Database, openDatabase } from '../../db/knex.ts';
import { pendingMigrations } from '../../db/migrate.ts';
import { hasSecretKey, openSecrets } from '../../process/secret-key.ts';
import { CommandError, type Context } from './command.ts';

export type OpenAt = typeof openDatabase;

/** `close` closes everything that was opened. */
export function createContext(
  config: Config,
  environment: Context['environment'],
  openAt: OpenAt = openDatabase,
): Context & { close: () => Promise<void> } {
  let opened: Promise<Database> | undefined;
  const database = () => {
    opened ??= open(config, openAt);
    return opened;
  };
  return {
    config,
    environment,
    management: async () => {
      const open = await database();
      return {
        knex: open.knex,
        clock: systemClock,
        actor: { kind: 'command line', name: operatorName() },
        team: undefined,
        secrets: () => secretsOf(config, open),
      };
    },
    close: async () => {
      const open = await opened?.catch(() => undefined);
      await open?.close();
    },
  };
}

async function open(config: Config, openAt: OpenAt): Promise<Database> {
  const { databaseUrl, dataDirectory } = config;
  // A command in the wrong folder should not create a database there.
  if (databaseUrl === undefined && !existsSync(embeddedFiles(dataDirectory)))
    throw new CommandError(
      `${dataDirectory} contains no database: set DATA_DIR or DATABASE_URL, or create one with tarishi migrate`,
    );
  const database = await openAt(
    { databaseUrl, dataDirectory, poolSize: 2 },
    pino({ level: 'silent' }),
    (error) => {
      throw error;
    },
  ).catch((error: unknown) => {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw new CommandError(
      `the embedded database in ${dataDirectory} is in use by a running service and serves one process at a time: ` +
        'stop it and run the command again, or call its management API. On PostgreSQL (DATABASE_URL) commands work ' +
        'while the service runs',
    );
  });
  const pending = await pendingMigrations(database.knex);
  if (pending.length === 0) return database;
  await database.close();
  throw new CommandError('the database schema is not up to date: run tarishi migrate');
}

/** On PostgreSQL commands do not generate a key: it would differ from the service's. */
async function secretsOf(config: Config, { knex }: Database): Promise<Secrets> {
  if (config.databaseUrl !== undefined && !hasSecretKey(config))
    throw new CommandError('SECRET_KEY is not set: use the same key as the service');
  return openSecrets(config, knex);
}

/** The user of the operating system. A container may run as one that has no name. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
