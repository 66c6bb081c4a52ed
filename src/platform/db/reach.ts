/** Waits for PostgreSQL while it is starting or unreachable; other errors fail at once. */
import type { Logger } from 'pino';
import { saysDatabaseIsAway } from '../errors/database-away.ts';
import { placeOf } from './servers.ts';

const firstWaitMs = 250;
const longestWaitMs = 5_000;
const sayEveryMs = 10_000;

/** Repeats `work` for as long as it fails because the server is away. */
export async function whenReachable<Result>(logger: Logger, work: () => Promise<Result>): Promise<Result> {
  let saidMs = Number.NEGATIVE_INFINITY;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await work();
    } catch (error) {
      if (!saysDatabaseIsAway(error)) throw error;
      if (performance.now() - saidMs >= sayEveryMs) {
        saidMs = performance.now();
        logger.warn({ reason: reasonOf(error) }, 'waiting for the database that DATABASE_URL names');
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** The address without its password, and why it failed. */
export function unreachable(url: string, error: unknown): Error {
  const { user, place } = placeOf(url);
  const name = `postgres://${user === '' ? '' : `${user}@`}${place}`;
  return new Error(`the database that DATABASE_URL names, ${name}, cannot be used: ${reasonOf(error)}`);
}

function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  // Of several addresses that were tried, none has a message for all.
  return message || code || String(error);
}
