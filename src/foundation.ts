/** What every part of the service stands on. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createSecrets, placeOf, type Secrets } from './clients/secrets.ts';
import type { Clock, Stopwatch } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './db/knex.ts';
import type { Queue } from './delivery/queue.ts';
import type { Events } from './events.ts';
import type { Readiness } from './readiness.ts';

export interface Foundation {
  config: Config;
  /** Where clients reach the service; issuer and audience of its tokens. */
  publicUrl: string;
  clock: Clock & Stopwatch;
  logger: Logger;
  database: Database;
  queue: Queue;
  secrets: Secrets;
  registry: Registry;
  events: Events;
  readiness: Readiness;
}

/** A part of the service that runs; `stop` ends it in order. */
export interface Running {
  stop: () => Promise<void>;
}

/** Facts may be this old when a request is judged by them, or a message delivered. */
export const factsLifetimeMs = 2_000;

/** Opens the sealed secrets of a connector, by their names. */
export function connectorSecretsIn(secrets: Secrets) {
  return (sealed: string, connector: string): Record<string, string> =>
    JSON.parse(secrets.decrypt(sealed, placeOf.connectorSecrets(connector)));
}

/** The key all other secrets hang on: from the settings, or made once in the data directory. */
export function openSecrets(config: Config): Secrets {
  if (config.secretKey !== undefined) return createSecrets(Buffer.from(config.secretKey, 'base64'));
  const file = join(config.dataDirectory, 'secret.key');
  try {
    // wx: whoever comes second reads the first one's key.
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return createSecrets(Buffer.from(readFileSync(file, 'utf8'), 'base64'));
}
