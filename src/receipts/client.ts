/** The HTTP client for callbacks: checks where it goes at every step, and bounds what comes back. */
import { lookup as systemLookup } from 'node:dns';
import type { Socket } from 'node:net';
import { Agent, buildConnector } from 'undici';
import type { Destinations } from './destination.ts';

export type PostOutcome =
  | { kind: 'answered'; status: number; retryAfterSeconds?: number }
  /** The destination is none that a callback may reach. */
  | { kind: 'refused'; reason: string }
  | { kind: 'failed'; reason: string };

export interface CallbackClient {
  /** Never rejects. Redirects are answers like any other. */
  post: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<PostOutcome>;
  close: () => Promise<void>;
}

export type Lookup = (
  hostname: string,
  options: { all: true },
  callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
) => void;

export interface CallbackClientOptions {
  destinations: Destinations;
  /** For the whole exchange. */
  timeoutMs?: number;
  /** For tests. */
  lookup?: Lookup;
}

const answerLimitBytes = 64 * 1024;
const retryAfterLimitSeconds = 86_400;

export function createCallbackClient(options: CallbackClientOptions): CallbackClient {
  const { destinations, timeoutMs = 10_000 } = options;
  const agent = new Agent({
    connect: guardedConnector(destinations, options.lookup ?? (systemLookup as Lookup), timeoutMs),
    connections: 32,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 16 * 1024,
  });
  return {
    post: async (url, headers, body) => {
      const refusal = destinations.urlRefusal(url);
      if (refusal !== undefined) return { kind: 'refused', reason: refusal };
      try {
        return await exchange(agent, url, headers, body, timeoutMs);
      } catch (error) {
        return outcomeOf(error);
      }
    },
    close: () => agent.destroy(),
  };
}

async function exchange(
  agent: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  timeoutMs: number,
): Promise<PostOutcome> {
  const { origin, pathname, search } = new URL(url);
  const response = await agent.request({
    origin,
    path: pathname + search,
    method: 'POST',
    headers: { ...headers },
    body,
    signal: AbortSignal.timeout(timeoutMs),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const retryAfterSeconds = retryAfter(response.headers['retry-after']);
  let bytes = 0;
  try {
    // Read so that the connection can be used again; what is too long or too slow costs the connection only.
    for await (const chunk of response.body) {
      bytes += (chunk as Buffer).length;
      if (bytes > answerLimitBytes) break;
    }
  } catch (error) {
    // A 2xx whose body never ends has been answered all the same.
    if (response.statusCode >= 300) throw error;
  }
  return {
    kind: 'answered',
    status: response.statusCode,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

class DestinationRefused extends Error {}

/** undici does not look up IP literals: those are judged by their URL, and all of them by the connected peer. */
function guardedConnector(
  destinations: Destinations,
  lookup: Lookup,
  timeoutMs: number,
): buildConnector.connector {
  const guardedLookup = (
    hostname: string,
    _options: object,
    callback: (error: Error | null, addresses: { address: string; family: number }[]) => void,
  ) =>
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const allowed =
        addresses.length > 0 && addresses.every(({ address }) => destinations.addressAllowed(address));
      if (allowed) return callback(null, addresses);
      return callback(new DestinationRefused('address not allowed'), []);
    });
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: guardedLookup as never,
    autoSelectFamily: true,
  });
  return (options, callback) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error === null && !destinations.addressAllowed((socket as Socket).remoteAddress ?? '')) {
        (socket as Socket).destroy();
        return callback(new DestinationRefused('address not allowed'), null);
      }
      return callback(...result);
    });
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3), at most a day. */
function retryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), retryAfterLimitSeconds) : undefined;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_SOCKET: 'connection reset',
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'name not found',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'headers too large',
};

function outcomeOf(error: unknown): PostOutcome {
  const { name, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown };
  if (error instanceof DestinationRefused || cause instanceof DestinationRefused)
    return { kind: 'refused', reason: 'address not allowed' };
  if (name === 'TimeoutError' || name === 'AbortError') return { kind: 'failed', reason: 'timeout' };
  if (error instanceof AggregateError && error.errors.length > 0) return outcomeOf(error.errors[0]);
  if (code?.startsWith('ERR_TLS') || code?.includes('CERT') || code?.includes('SSL'))
    return { kind: 'failed', reason: 'tls' };
  return { kind: 'failed', reason: reasons[code ?? ''] ?? 'failed' };
}
