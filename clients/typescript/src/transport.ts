/** Makes an HTTP call until there is a final response: retries what is safe to retry, with back-off. */
import { type Reply, retryAfterOf, TarishiConnectionError } from './errors.ts';

/** The part of the global fetch that the client uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface TransportOptions {
  fetch: Fetch;
  /** How often a call is retried at most. */
  retries: number;
  /** Of one attempt. */
  timeoutMs: number;
}

export interface Call {
  url: string;
  method: string;
  headers: Headers;
  body?: string | undefined;
  /** Whether a retry has no second effect. */
  retryable: boolean;
  /** Whether the body of a 200 is a file. */
  isFile?: boolean;
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
}

export type Transport = (call: Call) => Promise<Reply>;

const temporary: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** The `Error-Code` of a 409 that passes: the first request with this Idempotency-Key is still running. */
const keyInUse = 'key-in-use';
/** A request that got it had no effect. */
const tooManyRequests = 429;

const firstPauseMs = 500;
const longestPauseMs = 20_000;
/** A call that would have to wait longer fails instead; the error says how long. */
const longestRetryAfterSeconds = 60;

/** Resolves with the last response; rejects with a TarishiConnectionError, or with the reason of the signal. */
export function createTransport(options: TransportOptions): Transport {
  return async (call) => {
    for (let attempt = 0; ; attempt++) {
      const last = attempt === options.retries;
      let pauseMs = Math.min(firstPauseMs * 2 ** attempt, longestPauseMs) * (0.5 + Math.random() / 2);
      try {
        const reply = await attemptOf(call, options);
        const mayRetry = call.retryable ? isTemporary(reply) : reply.status === tooManyRequests;
        if (last || !mayRetry) return reply;
        const seconds = retryAfterOf(reply.headers);
        if (seconds !== undefined && seconds > longestRetryAfterSeconds) return reply;
        // A little later than asked, so that clients that were rejected together do not return together.
        if (seconds !== undefined) pauseMs = seconds * 1000 * (1 + Math.random() / 10);
      } catch (error) {
        if (last || !call.retryable || !(error instanceof TarishiConnectionError)) throw error;
      }
      await pause(pauseMs, call.signal);
    }
  };
}

function isTemporary({ status, headers }: Reply): boolean {
  return temporary.has(status) || headers.get('Error-Code') === keyInUse;
}

async function attemptOf(call: Call, options: TransportOptions): Promise<Reply> {
  const { url, method, headers, body, signal, timeoutMs = options.timeoutMs } = call;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await options.fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      // A token must not follow to another address.
      redirect: 'manual',
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const { status, headers: received } = response;
    if (call.isFile && status === 200)
      return { url, status, headers: received, text: '', file: await response.blob() };
    return { url, status, headers: received, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw timeout.aborted
      ? new TarishiConnectionError({ code: 'timeout', desc: `No response within ${timeoutMs} ms`, cause })
      : new TarishiConnectionError({ code: 'connection-failed', desc: reasonOf(cause), cause });
  }
}

/** Node's fetch hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const inner = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return `The connection failed: ${inner instanceof Error ? inner.message : String(inner)}`;
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
