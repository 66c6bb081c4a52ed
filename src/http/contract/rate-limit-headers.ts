/** Shows callers in every response of a limited operation how much of the limit is left. */
import type Koa from 'koa';
import type { RequestState } from '../request-state.ts';

/** The headers for a client of a team and an operation; none where there is no limit. */
export type FindRateLimitHeaders = (
  sender: { teamId: string; clientId: string },
  operationId: string,
) => Promise<Record<string, string>>;

/** Runs `serve`, then sets the headers: they stay whether it responds or throws. */
export function withRateLimitHeaders(serve: Koa.Middleware, find: FindRateLimitHeaders): Koa.Middleware {
  return async (ctx, next) => {
    try {
      await serve(ctx, next);
    } finally {
      const { caller, operationId } = ctx.state as RequestState;
      if (caller?.teamId !== undefined && caller.clientId !== undefined && operationId !== undefined)
        // A database that is down must not turn one error into another.
        ctx.set(
          await find({ teamId: caller.teamId, clientId: caller.clientId }, operationId).catch(() => ({})),
        );
    }
  };
}
