/** Limits how often operations are called: each call counts once, whatever it asks for. */
import type { Limiter, Sender } from './limiter.ts';

type AnyHandler = (call: { caller: Sender }) => Promise<unknown>;

/** The handlers, with those of the named operations behind the limiter. */
export function limitCalls<Handlers extends object>(
  handlers: Handlers,
  operations: readonly (keyof Handlers & string)[],
  limiter: Limiter,
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
