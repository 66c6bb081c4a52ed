/** The HTTP client for callbacks: checks the destination at every step and limits the response. */
import { errors, type Pool } from 'undici';
import { type Clock, systemClock } from '../../clock.ts';
import { retryAfterSeconds } from '../../text/retry-after.ts';
import {
  createGuardedConnector,
  createLookup,
  DestinationRefused,
  type Lookup,
  NameNotResolved,
} from './connect.ts';
import type { Destinations } from './destination.ts';
import { createPools } from './pools.ts';

export type PostOutcome =
  /** The status is known, whatever became of the body behind it. Retry-After is at most a day. */
  | { kind: 'answered'; status: number; retryAfterSeconds?: number }
  /** The destination is none that a callback may reach. */
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string };

export interface CallbackClient {
  /** Never rejects. Redirects are answers like any other. */
  post: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<PostOutcome>;
  /** Ends what is under way, and closes all connections. */
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

const answerLimitBytes = 64 * 1024;

export function createCallbackClient(options: CallbackClientOptions): CallbackClient {
  const { destinations, timeoutMs = 10_000, lookup = createLookup(), clock = systemClock } = options;
  const pools = createPools(createGuardedConnector({ destinations, timeoutMs, lookup }));
  return {
    post: async (url, headers, body) => {
      const refusal = destinations.urlRefusal(url);
      if (refusal !== undefined) return { kind: 'refused', reason: refusal };
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), timeoutMs);
      try {
        const { signal } = deadline;
        return await pools.use(new URL(url).origin, (pool) =>
          exchange(pool, { url, headers, body, signal, clock }),
        );
      } catch (error) {
        return deadline.signal.aborted ? { kind: 'failed', reason: 'timeout' } : outcomeOf(error);
      } finally {
        clearTimeout(timer);
      }
    },
    close: pools.close,
  };
}

interface Exchange {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
  clock: Clock;
}

async function exchange(pool: Pool, { url, headers, body, signal, clock }: Exchange): Promise<PostOutcome> {
  const { pathname, search } = new URL(url);
  const {
    statusCode,
    headers: answered,
    body: answer,
  } = await pool.request({
    path: pathname + search,
    method: 'POST',
    headers: { ...headers },
    body,
    signal,
  });
  const seconds = retryAfterSeconds(answered['retry-after'], clock.now());
  // Read so that the connection can be used again; what is too long or too slow costs the connection only.
  await answer.dump({ limit: answerLimitBytes });
  return {
    kind: 'answered',
    status: statusCode,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
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
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers too large',
  UND_ERR_DESTROYED: 'closed',
  UND_ERR_CLOSED: 'closed',
  EPROTO: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
};

function outcomeOf(error: unknown): PostOutcome {
  if (error instanceof DestinationRefused) return { kind: 'refused', reason: 'address not allowed' };
  return { kind: 'failed', reason: reasonOf(error) };
}

function reasonOf(error: unknown): string {
  if (error instanceof NameNotResolved) return 'dns';
  if (error instanceof errors.HTTPParserError) return 'not http';
  // When several addresses were tried, this is what became of the first.
  const code = String((error as NodeJS.ErrnoException).code);
  return reasons[code] ?? (/TLS|CERT|SSL/.test(code) ? 'tls' : 'failed');
}
