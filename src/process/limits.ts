/** Builds the rate limits of all operations. */
import { cached } from '../concurrency/cache.ts';
import type { OperationId } from '../http/contract/operation.ts';
import type { MostInProgress } from '../limits/limited.ts';
import { createLimiter, type Limiter } from '../limits/limiter.ts';
import { callOperations, recipientNouns } from '../limits/operations.ts';
import { createSharedWindows, loadRates } from '../limits/repository.ts';
import type { ProcessContext } from './context.ts';

const ratesLifetimeMs = 5_000;
/** Each may keep a connection open for ten seconds. */
const testsPerSecond = 5;

/**
 * An endpoint that never responds must not fill the room for requests, nor a team that replays its receipts over and
 * over the connections to the database.
 */
export const mostInProgress = {
  testReceipt: { ofTeam: testsPerSecond, ofAll: 32 },
  replayReceipts: { ofTeam: 1, ofAll: 2 },
} as const satisfies { [O in OperationId]?: MostInProgress };

export interface Limits {
  /** Of sends and their previews: recipients, at the rate of the team and of the client. */
  recipients: Limiter;
  /** Of all other operations of a team: calls to this process, so that a read costs no statement more. */
  calls: Limiter;
}

export function createLimits({ config, clock, database }: ProcessContext): Limits {
  const { knex } = database;
  const ratesOf = cached((teamId: string, clientId: string) => loadRates(knex, teamId, clientId), {
    lifetimeMs: ratesLifetimeMs,
    limitEntries: 10_000,
    clock,
  });
  const recipients = Object.entries(recipientNouns satisfies { [O in OperationId]?: string });
  const calls = (callOperations satisfies readonly OperationId[]).map((operation) => ({
    operation,
    perSecond: operation === 'testReceipt' ? testsPerSecond : config.readRateLimitPerSecond,
  }));
  return {
    recipients: createLimiter(
      Object.fromEntries(
        recipients.map(([operation, noun]) => [operation, { perSecond: config.rateLimitPerSecond, noun }]),
      ),
      ratesOf,
      clock,
      database.embedded ? undefined : createSharedWindows(knex),
    ),
    calls: createLimiter(
      Object.fromEntries(
        calls.map(({ operation, perSecond }) => [operation, { perSecond, noun: 'requests' }]),
      ),
      // The rates of a team and of a client are recipients per second.
      async (teamId, clientId) => ({ ...(await ratesOf(teamId, clientId)), team: null, client: null }),
      clock,
    ),
  };
}
