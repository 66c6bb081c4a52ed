/** Waits for PostgreSQL while it is starting or unreachable; other errors fail at once. */
import type { Logger } from 'pino';

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
      if (!isPassing(error)) throw error;
      if (performance.now() - saidMs >= sayEveryMs) {
        saidMs = performance.now();
        logger.warn({ err: error }, 'waiting for PostgreSQL');
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
}

/** The address without its password, and why it failed. */
export function unreachable(url: string, error: unknown): Error {
  const { username, host, pathname } = new URL(url);
  const user = username === '' ? '' : `${username}@`;
  return new Error(
    `the database that DATABASE_URL names, postgres://${user}${host}${pathname}, cannot be used: ${reasonOf(error)}`,
  );
}

function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  // Of several addresses that were tried, none has a message for all.
  return message || code || String(error);
}

/** Connection exceptions, a server that starts, stops or is full (PostgreSQL 18, appendix A), and the network. */
const passingCodes =
  /^(08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ENOENT)$/;
/** node-postgres and Knex have no codes for these. */
const passingWords = /^(timeout expired|Connection terminated|Knex: Timeout acquiring a connection)/;

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return passingCodes.test(code) || passingWords.test(error.message);
}
