/** What all parts of a process share. */
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createQuietPace, type Pace, steadyPace } from '../delivery/pace.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Events } from '../model/events.ts';
import type { Clock, Stopwatch } from '../platform/clock.ts';
import type { Database } from '../platform/db/knex.ts';
import { placeOf, type Secrets } from '../platform/secrets/secrets.ts';
import { untilNextDue } from '../queue/next-due.ts';
import type { Queue } from '../queue/queue.ts';
import type { Config } from './config.ts';

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
  /** Of the background loops. */
  pace: Pace;
}

/** A part of the service that runs; `stop` ends it in order. */
export interface Running {
  stop: () => Promise<void>;
}

/** The embedded database is filled by this process alone, which therefore knows when nothing happens. */
export function paceFor({ knex, embedded }: Database, logger: Logger): Pace {
  if (!embedded) return steadyPace;
  return createQuietPace({
    quietAfterMs: 10_000,
    // Half the time after which a process that does not report on its connectors counts as gone.
    longestMs: 15_000,
    untilDue: () => untilNextDue(knex),
    logger,
  });
}

/** How old facts may be when a request is checked or a message delivered. */
export const factsLifetimeMs = 2_000;

/** Opens the sealed secrets of a connector, by their names. */
export function connectorSecretsIn(secrets: Secrets) {
  return (sealed: string, connector: string): Record<string, string> =>
    JSON.parse(secrets.decrypt(sealed, placeOf.connectorSecrets(connector)));
}
