/** What all parts of a process share. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { placeOf, type Secrets } from '../clients/secrets.ts';
import type { Clock, Stopwatch } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/knex.ts';
import type { Events } from '../events.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Queue } from '../queue/queue.ts';

export interface ProcessContext {
  config: Config;
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
