/** Builds the rate limits of all operations. */

import type { MostInProgress } from '../accept/limits/limited.ts';
import { createLimiter, type Limiter } from '../accept/limits/limiter.ts';
import { createSharedWindows, loadRates } from '../accept/limits/repository.ts';
import { type LimitedOperation, limitedOperations } from '../contract/limits.ts';
import type { OperationId } from '../http/contract/operation.ts';
import { cached } from '../platform/concurrency/cache.ts';
import { own } from '../platform/text/own.ts';
import type { ProcessContext } from './context.ts';

const ratesLifetimeMs = 5_000;

/**
 * A test may keep a connection open for ten seconds: an endpoint that never responds must not fill the room for requests, nor a team that replays its receipts over and
 * over the connections to the database.
 */
export const mostInProgress = {
  testReceipt: { ofTeam: 5, ofAll: 32 },
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
  const settings: Readonly<Record<string, number | undefined>> = {
    RATE_LIMIT_PER_SECOND: config.rateLimitPerSecond,
    READ_RATE_LIMIT_PER_SECOND: config.readRateLimitPerSecond,
  };
  const limitsOf = (counted: LimitedOperation['counts']) =>
    Object.fromEntries(
      limitedOperations()
        .filter(({ counts }) => counts === counted)
        .map(({ operation, noun, perSecond, setting = '' }) => [
          operation,
          { noun, perSecond: own(settings, setting) ?? perSecond },
        ]),
    );
  return {
    recipients: createLimiter(
      limitsOf('recipients'),
      ratesOf,
      clock,
      database.embedded ? undefined : createSharedWindows(knex),
    ),
    calls: createLimiter(
      limitsOf('calls'),
      // The rates of a team and of a client are recipients per second.
      async (teamId, clientId) => ({ ...(await ratesOf(teamId, clientId)), team: null, client: null }),
      clock,
    ),
  };
}
