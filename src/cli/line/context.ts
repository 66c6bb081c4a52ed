/** Opens the database and the secrets for a command, and says who runs it. */

import { userInfo } from 'node:os';
import { loadDocument, scopesOf } from '../../contract/document.ts';
import { systemClock } from '../../platform/clock.ts';
import { DirectoryInUse, requireUnlocked } from '../../platform/db/embedded/directory-lock.ts';
import type { Database } from '../../platform/db/knex.ts';
import type { Config } from '../../process/config.ts';
import { type Opened, openService, type Service } from '../management/service.ts';
import type { Context } from './command.ts';
import { CommandError } from './errors.ts';
import type { OpenAt } from './open-database.ts';

/** Loaded when a command needs the database: help and calls to a running service are quicker without it. */
const opening = () => import('./open-database.ts');

/** `close` closes everything that was opened. */
export function createContext(
  config: Config,
  environment: Context['environment'],
  openAt?: OpenAt,
): Context & { close: () => Promise<void> } {
  let opened: Promise<Database> | undefined;
  let service: Promise<Service> | undefined;
  const open = async () => {
    if (config.databaseUrl === undefined && openAt === undefined) await requireUnlocked(config.dataDirectory);
    const { openConfigured } = await opening();
    return openConfigured(config, openAt);
  };
  const database = () => {
    opened ??= open();
    return opened;
  };
  const openHere = async (): Promise<Opened> => {
    const here = await database();
    const { secretsOf } = await opening();
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
      const here = await database().catch(inUse);
      const { secretsOf } = await opening();
      return {
        knex: here.knex,
        clock: systemClock,
        actor: { kind: 'command line', name: operatorName() },
        team: undefined,
        trustedIssuers: config.trustedIssuers.map(({ issuer }) => issuer),
        sendersOpen: config.senders === 'open',
        // Read on demand: most commands do not need the OpenAPI document.
        scopes: () => scopesOf(loadDocument()),
        secrets: () => secretsOf(config, here),
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

/** The user of the operating system. A container may run as one that has no name. */
function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
