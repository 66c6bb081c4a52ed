/** Sends a request until it gets a response: retries lost responses and retryable errors, with back-off. */

export interface TransportOptions {
  fetch: (request: Request) => Promise<Response>;
  /** Most repetitions. */
  retries: number;
  timeoutMs: number;
  /** Waits that many milliseconds; rejects when the signal aborts. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export type Transport = (request: Request) => Promise<Response>;

/** 409: the first request with this Idempotency-Key is still running. */
const repeatable: ReadonlySet<number> = new Set([408, 409, 429, 500, 502, 503, 504]);

const firstPauseMs = 500;
const longestPauseMs = 20_000;

/** The request must be safe to repeat. Answers the last response; rejects with the last network fault. */
export function createTransport({ fetch, retries, timeoutMs, wait = pause }: TransportOptions): Transport {
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      const last = attempt === retries;
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]);
      let pauseMs = jittered(firstPauseMs * 2 ** attempt);
      try {
        const response = await fetch(new Request(request.clone(), { signal }));
        if (last || !repeatable.has(response.status)) return response;
        const asked = retryAfterMs(response);
        if (asked !== undefined && asked > longestPauseMs) return response;
        pauseMs = asked ?? pauseMs;
        // Frees the connection.
        await response.body?.cancel();
      } catch (error) {
        if (last || request.signal.aborted) throw error;
      }
      await wait(pauseMs, request.signal);
    }
  };
}

/** Between half of it and all of it, so that clients that failed together do not come back together. */
function jittered(ms: number): number {
  return Math.min(ms, longestPauseMs) * (0.5 + Math.random() / 2);
}

/** Retry-After in seconds (RFC 9110, section 10.2.3); our service sends no dates. */
function retryAfterMs(response: Response): number | undefined {
  const value = response.headers.get('Retry-After');
  return value !== null && /^\d{1,9}$/.test(value) ? Number(value) * 1000 : undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const aborted = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    if (signal.aborted) aborted();
    else signal.addEventListener('abort', aborted, { once: true });
  });
}
