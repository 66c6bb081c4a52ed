/** Marks the errors of a database that is down, and logs once that it went down and once that it is back. */
import type { Logger } from 'pino';
import { markDatabaseAway, saysDatabaseIsAway } from '../errors/database-away.ts';

export interface Outages {
  /** A connection or a query failed. */
  failed: (error: unknown) => void;
  /** A query succeeded. */
  answered: () => void;
}

/** An outage has ended when a query succeeds and none has failed for this long. */
const calmMs = 1_000;

/** Logs an outage only while `says`: a process that starts logs itself what it waits for. */
export function createOutages(
  logger: Logger,
  says: () => boolean,
  elapsedMs: () => number = () => performance.now(),
): Outages {
  let sinceMs: number | undefined;
  let failedMs = 0;
  let failures = 0;
  return {
    failed: (error) => {
      if (!saysDatabaseIsAway(error)) return;
      markDatabaseAway(error as Error);
      failures += 1;
      failedMs = elapsedMs();
      if (sinceMs !== undefined || !says()) return;
      sinceMs = failedMs;
      failures = 1;
      // Without the mark: lines about marked errors are left out.
      const { name, message, code } = error as NodeJS.ErrnoException;
      const reason = code ?? (message.split(' - ').at(-1) || name);
      logger.error({ reason }, 'database unreachable: requests get 503, and messages and receipts wait');
    },
    answered: () => {
      if (sinceMs === undefined || elapsedMs() < failedMs + calmMs) return;
      const seconds = Math.ceil((failedMs - sinceMs) / 1_000);
      sinceMs = undefined;
      logger.info({ seconds, failures }, 'database reachable again');
    },
  };
}

/** What Knex says by itself. */
export function knexLog(logger: Logger) {
  const log = (level: 'warn' | 'error' | 'debug') => (message: unknown) => {
    const text = String(message);
    // One for every query of an outage, which has a line of its own.
    const common = /^(Acquire connection error|Connection Error)/.test(text);
    logger[common ? 'debug' : level]({ component: 'knex' }, text);
  };
  return { warn: log('warn'), error: log('error'), deprecate: log('warn'), debug: log('debug') };
}
