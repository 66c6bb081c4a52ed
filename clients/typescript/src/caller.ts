/** Calls an operation with a token and, where the operation takes one, an Idempotency-Key that all attempts share. */
import { errorOf, parsed, TarishiError } from './errors.ts';
import { type Input, type OperationId, type Result, targetOf } from './operations.ts';
import { routes } from './routes.ts';
import { createTokens } from './tokens.ts';
import { createTransport, type Fetch } from './transport.ts';

export interface TarishiOptions {
  /** The address of the service, such as `https://sms.example.com`. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** The scopes to request, separated by spaces; by default all that your client has. */
  scope?: string | undefined;
  /** How often a call is retried at most; 4 by default. */
  retries?: number | undefined;
  /** The milliseconds after which an attempt has failed; 30,000 by default. */
  timeoutMs?: number | undefined;
  /** Used instead of the global fetch. */
  fetch?: Fetch | undefined;
}

/** What can be set for a single call. */
export interface CallOptions {
  /** Identifies the action, such as an order number; a new UUID by default. Only sends use it. */
  idempotencyKey?: string | undefined;
  /** Your own id for the request (`[\w-]{1,64}`), which the service logs. */
  requestId?: string | undefined;
  /** Ends the call, with all its attempts. */
  signal?: AbortSignal | undefined;
  /** Instead of the client's own. */
  timeoutMs?: number | undefined;
}

/** Resolves with the body of a 200, parsed unless it is a file; rejects with a TarishiError, or with the reason of the signal. */
export type Caller = <Id extends OperationId>(
  operation: Id,
  input: Input<Id>,
  options?: CallOptions,
) => Promise<Result<Id>>;

export function createCaller(options: TarishiOptions): Caller {
  const { retries = 4, timeoutMs = 30_000, fetch = (url, init) => globalThis.fetch(url, init) } = options;
  // Throws if it is no URL.
  const baseUrl = new URL(options.baseUrl).href.replace(/\/$/, '');
  const transport = createTransport({ fetch, retries, timeoutMs });
  const tokens = createTokens({ ...options, baseUrl }, transport);

  return async <Id extends OperationId>(operation: Id, input: Input<Id>, settings: CallOptions = {}) => {
    const { method, path, retry } = routes[operation];
    const { path: ids, query, body } = input as Parts;
    const { signal, idempotencyKey = crypto.randomUUID(), requestId } = settings;
    const sendWith = (token: string) =>
      transport({
        url: `${baseUrl}${targetOf(path, ids, query)}`,
        method,
        // Throws if a key or an id cannot be a header.
        headers: new Headers({
          Authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(retry === 'keyed' ? { 'Idempotency-Key': idempotencyKey } : {}),
          ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
        }),
        body: body === undefined ? undefined : JSON.stringify(body),
        retryable: retry !== 'unsafe',
        isFile: retry === 'file',
        signal,
        timeoutMs: settings.timeoutMs,
      });

    signal?.throwIfAborted();
    const token = await unlessAborted(tokens.current(), signal);
    let reply = await sendWith(token);
    // The token may have been revoked; if a new one is rejected as well, the client has been.
    if (reply.status === 401) reply = await sendWith(await unlessAborted(tokens.insteadOf(token), signal));
    if (reply.status !== 200) throw errorOf(reply);
    if (reply.file !== undefined) return reply.file as Result<Id>;
    const result = parsed(reply.text);
    if (result === undefined)
      throw new TarishiError({ status: 200, code: 'unknown', desc: 'The response is not JSON' });
    return result as Result<Id>;
  };
}

interface Parts {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | undefined>;
  body?: object;
}

/** Other calls may wait for the same token, so the signal ends the waiting and not the request. */
function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
