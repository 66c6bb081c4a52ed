/** Opens the database and the secrets for a command, and says who runs it. */

import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { pino } from 'pino';
import type { Secrets } from '../../clients/secrets.ts';
import { loadDocument, scopesOf } from '../../contract/document.ts';
import { systemClock } from '../../platform/clock.ts';
import { embeddedFiles } from '../../platform/db/embedded/data-directory.ts';
import { DirectoryInUse } from '../../platform/db/embedded/directory-lock.ts';
import { type Database, openDatabase } from '../../platform/db/knex.ts';
import { pendingMigrations, schemaFault } from '../../platform/db/migrate.ts';
import { commandName } from '../../process/command-name.ts';
import type { Config } from '../../process/config.ts';
import { hasSecretKey, openSecrets } from '../../process/secret-key.ts';
import { type Opened, openService, type Service } from '../management/service.ts';
import type { Context } from './command.ts';
import { CommandError } from './errors.ts';

export type OpenAt = typeof openDatabase;

/** `close` closes everything that was opened. */
export function createContext(
  config: Config,
  environment: Context['environment'],
  openAt: OpenAt = openDatabase,
): Context & { close: () => Promise<void> } {
  let opened: Promise<Database> | undefined;
  let service: Promise<Service> | undefined;
  const database = () => {
    opened ??= open(config, openAt);
    return opened;
  };
  const openHere = async (): Promise<Opened> => {
    const here = await database();
    return { database: here, secrets: () => secretsOf(config, here), operator: operatorName() };
  };
  return {
    config,
    environment,
    service: (address) => {
      service ??= openService(address, { config, environment, open: openHere });
      return service;
    },
    management: async () => {
      const open = await database().catch(inUse);
      return {
        knex: open.knex,
        clock: systemClock,
        actor: { kind: 'command line', name: operatorName() },
        team: undefined,
        trustedIssuers: config.trustedIssuers.map(({ issuer }) => issuer),
        // Read on demand: most commands do not need the OpenAPI document.
        scopes: () => scopesOf(loadDocument()),
        secrets: () => secretsOf(config, open),
      };
    },
    close: async () => {
      await (await service?.catch(() => undefined))?.close();
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

/** For what needs the database itself. */
function inUse(error: unknown): never {
  if (!(error instanceof DirectoryInUse)) throw error;
  throw new CommandError(
    `${error.message}. On PostgreSQL (DATABASE_URL) this command works while the service runs`,
  );
}

async function open(config: Config, openAt: OpenAt): Promise<Database> {
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
