/** Limits how often operations are called, and how many calls are in progress: each counts once, whatever it asks for. */

import { errors } from '../../platform/errors.ts';
import { own } from '../../platform/text/own.ts';
import type { Limiter, RateLimitState, Sender } from './limiter.ts';

const windowSeconds = 1;

type AnyHandler = (call: { caller: Sender }) => Promise<unknown>;

/** The handlers, with the named operations behind the limiter. */
export function limitCalls<Handlers extends object>(
  handlers: Handlers,
  operations: readonly string[],
  limiter: Pick<Limiter, 'take'>,
): Handlers {
  const all = handlers as Record<string, AnyHandler>;
  const limited = operations.map((operation): [string, AnyHandler] => [
    operation,
    async (call) => {
      await limiter.take(call.caller, operation, 1);
      return own(all, operation)?.(call);
    },
  ]);
  return { ...handlers, ...Object.fromEntries(limited) };
}

/** How many calls of an operation may be in progress in this process. */
export interface MostInProgress {
  ofTeam: number;
  ofAll: number;
}

/** The handlers; the named ones reject calls above the limit with 429, because one team could make them take long. */
export function limitInProgress<Handlers extends object>(
  handlers: Handlers,
  operations: Partial<Record<keyof Handlers & string, MostInProgress>>,
): Handlers {
  const all = handlers as Record<string, AnyHandler>;
  const limited = Object.entries<MostInProgress | undefined>(operations).map(
    ([operation, most]): [string, AnyHandler] => {
      const teams: string[] = [];
      return [
        operation,
        async (call) => {
          const { teamId } = call.caller;
          const ofTeam = teams.filter((one) => one === teamId).length;
          if (most !== undefined && (ofTeam >= most.ofTeam || teams.length >= most.ofAll))
            throw errors.overloaded();
          teams.push(teamId);
          try {
            return await own(all, operation)?.(call);
          } finally {
            teams.splice(teams.indexOf(teamId), 1);
          }
        },
      ];
    },
  );
  return { ...handlers, ...Object.fromEntries(limited) };
}

/** The headers of draft-ietf-httpapi-ratelimit-headers: what may be sent in a second, and what of it is left. */
export function rateLimitHeaders(states: readonly RateLimitState[]): Record<string, string> {
  if (states.length === 0) return {};
  const list = (item: (state: RateLimitState) => string) => states.map(item).join(', ');
  return {
    'RateLimit-Policy': list(({ holder, perSecond }) => `"${holder}";q=${perSecond};w=${windowSeconds}`),
    // What was counted leaves the window within a second.
    RateLimit: list(({ holder, remaining }) => `"${holder}";r=${remaining};t=${windowSeconds}`),
  };
}
