/**
 * Rejects with 429 callers that cost much without result: addresses that fail to log in, teams whose bodies are
 * rejected.
 */
import type Koa from 'koa';
import type { Stopwatch } from '../platform/clock.ts';
import { errors } from '../platform/errors.ts';
import { createAllowance } from './allowance.ts';
import {
  blindSearchesBurst,
  blindSearchesPerSecond,
  failedLoginsBurst,
  failedLoginsPerSecond,
  refusedBodiesBurstBytes,
  refusedBodiesBytesPerSecond,
  userCallsBurst,
  userCallsPerSecond,
} from './bounds.ts';
import { holderOf, type RequestState } from './request-state.ts';

export interface Guard {
  /** Before credentials are checked that may be wrong. Rejects with 429. */
  admitLogin: (peer: string) => void;
  /** Before a body is read that may be long. Rejects with 429. */
  admitBody: (holder: string) => void;
  /** Counts what each response says about its request. */
  count: Koa.Middleware;
}

export function createGuard(clock: Stopwatch): Guard {
  const logins = createAllowance({ burst: failedLoginsBurst, perSecond: failedLoginsPerSecond }, clock);
  const bodies = createAllowance(
    { burst: refusedBodiesBurstBytes, perSecond: refusedBodiesBytesPerSecond },
    clock,
  );
  return {
    admitLogin: (peer) => require(logins.waitSeconds(peer)),
    admitBody: (holder) => require(bodies.waitSeconds(holder)),
    count: async (ctx, next) => {
      await next();
      const { origin, caller, bodyBytes, refusal } = ctx.state as RequestState;
      // Missing credentials cost nothing to check.
      if (ctx.status === 401 && refusal?.reason !== 'missing') logins.spend(origin.peer, 1);
      if (caller !== undefined && bodyBytes !== undefined && ctx.status >= 400 && ctx.status < 500)
        bodies.spend(holderOf(caller), bodyBytes);
    },
  };
}

/** Throws 429 for a user who calls more often than users may; counts the others. */
export function createGuardOfCalls(clock: Stopwatch): (userId: string) => void {
  const calls = createAllowance({ burst: userCallsBurst, perSecond: userCallsPerSecond }, clock);
  return (userId) => {
    const waitSeconds = calls.waitSeconds(userId);
    if (waitSeconds > 0) throw errors.rateLimitExceeded(userCallsPerSecond, 'requests', waitSeconds);
    calls.spend(userId, 1);
  };
}

/** Throws 429 for a user who sees numbers masked and searches by number more often than a person does; counts the others. */
export function createGuardOfSearches(clock: Stopwatch): (userId: string) => void {
  const searches = createAllowance({ burst: blindSearchesBurst, perSecond: blindSearchesPerSecond }, clock);
  return (userId) => {
    const waitSeconds = searches.waitSeconds(userId);
    if (waitSeconds > 0)
      throw errors.rateLimitExceeded(blindSearchesPerSecond, 'searches by number', waitSeconds);
    searches.spend(userId, 1);
  };
}

function require(waitSeconds: number): void {
  if (waitSeconds > 0) throw errors.tooManyRejectedRequests(waitSeconds);
}
