/** Limits how often operations are called: each call counts once, whatever it asks for. */
import type { Limiter, Sender, Standing } from './limiter.ts';

const windowSeconds = 1;

type AnyHandler = (call: { caller: Sender }) => Promise<unknown>;

/** The handlers, with those of the named operations behind the limiter. */
export function limitCalls<Handlers extends object>(
  handlers: Handlers,
  operations: readonly (keyof Handlers & string)[],
  limiter: Pick<Limiter, 'take'>,
): Handlers {
  const all = handlers as Record<string, AnyHandler>;
  const limited = operations.map((operation): [string, AnyHandler] => [
    operation,
    async (call) => {
      await limiter.take(call.caller, operation, 1);
      return all[operation]?.(call);
    },
  ]);
  return { ...handlers, ...Object.fromEntries(limited) };
}

/** The headers of draft-ietf-httpapi-ratelimit-headers: what may be sent in a second, and what of it is left. */
export function rateLimitHeaders(standings: readonly Standing[]): Record<string, string> {
  if (standings.length === 0) return {};
  const list = (item: (standing: Standing) => string) => standings.map(item).join(', ');
  return {
    'RateLimit-Policy': list(({ holder, perSecond }) => `"${holder}";q=${perSecond};w=${windowSeconds}`),
    // What was counted leaves the window within a second.
    RateLimit: list(({ holder, remaining }) => `"${holder}";r=${remaining};t=${windowSeconds}`),
  };
}
