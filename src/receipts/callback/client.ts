/** The HTTP client for callbacks: checks the destination at every step and limits the response. */

import { errors } from 'undici';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { remembered } from '../../platform/concurrency/remembered.ts';
import { own } from '../../platform/text/own.ts';
import { retryAfterSeconds } from '../../platform/text/retry-after.ts';
import {
  createGuardedConnector,
  createLookup,
  DestinationRefused,
  type Lookup,
  NameNotResolved,
} from './connect.ts';
import type { Destinations } from './destination.ts';
import { DeadlinePassed, exchange } from './exchange.ts';
import { createPools } from './pools.ts';

export type PostOutcome =
  /**
   * The status is known, whatever happens to the body after it. Retry-After is at most a day; `response` is the
   * beginning of the body, absent when it was empty.
   */
  | { kind: 'answered'; status: number; retryAfterSeconds?: number; response?: string }
  /** Callbacks may not reach this destination. */
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string };

export interface CallbackClient {
  /** Never rejects. Redirects are responses like any other. */
  post: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<PostOutcome>;
  /** Aborts exchanges under way, and closes all connections. */
  close: () => Promise<void>;
}

export interface CallbackClientOptions {
  destinations: Destinations;
  /** For the whole exchange: look-up, connection, headers and body. */
  timeoutMs?: number;
  /** For tests. */
  lookup?: Lookup;
  clock?: Clock;
}

/** Callback URLs come again with every receipt. */
const targetsRemembered = 1_000;

interface Target {
  /** Why the URL is rejected. */
  refusal: string | undefined;
  origin: string;
  path: string;
}

export function createCallbackClient(options: CallbackClientOptions): CallbackClient {
  const { destinations, timeoutMs = 10_000, lookup = createLookup(), clock = systemClock } = options;
  const pools = createPools(createGuardedConnector({ destinations, timeoutMs, lookup }));
  const targetOf = remembered(targetsRemembered, (url: string): Target => {
    const refusal = destinations.urlRefusal(url);
    if (refusal !== undefined) return { refusal, origin: '', path: '' };
    const { origin, pathname, search } = new URL(url);
    return { refusal, origin, path: pathname + search };
  });
  return {
    post: async (url, headers, body) => {
      const { refusal, origin, path } = targetOf(url);
      if (refusal !== undefined) return { kind: 'refused', reason: refusal };
      try {
        const request = { path, headers, body, timeoutMs };
        const { status, retryAfter, response } = await pools.use(origin, (pool) => exchange(pool, request));
        const seconds = retryAfter === undefined ? undefined : retryAfterSeconds(retryAfter, clock.now());
        return {
          kind: 'answered',
          status,
          ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
          ...(response === '' ? {} : { response }),
        };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    close: pools.close,
  };
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers too large',
  UND_ERR_DESTROYED: 'closed',
  UND_ERR_CLOSED: 'closed',
  EPROTO: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
};

function outcomeOf(error: unknown): PostOutcome {
  if (error instanceof DeadlinePassed) return { kind: 'failed', reason: 'timeout' };
  if (error instanceof DestinationRefused) return { kind: 'refused', reason: 'address not allowed' };
  return { kind: 'failed', reason: reasonOf(error) };
}

function reasonOf(error: unknown): string {
  if (error instanceof NameNotResolved) return 'dns';
  if (error instanceof errors.HTTPParserError) return 'not http';
  // If several addresses were tried, this is the outcome of the first.
  const code = String((error as NodeJS.ErrnoException).code);
  return own(reasons, code) ?? (/TLS|CERT|SSL/.test(code) ? 'tls' : 'failed');
}
