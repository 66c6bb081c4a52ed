/** Sends one HTTP request to a provider, bounded in time and size, and reports whether it may have arrived. */
import { Agent, buildConnector, type Dispatcher, errors } from 'undici';
import type { Clock } from '../../platform/clock.ts';
import { retryAfterSeconds } from '../../platform/text/retry-after.ts';
import { withoutTrailingSlashes } from '../../platform/text/url.ts';
import { parseJson } from './json.ts';

export interface ProviderRequest {
  method: 'GET' | 'POST';
  /** With its query; added to the base URL. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Written as JSON. */
  body?: unknown;
  /** Instead of `body`. */
  form?: URLSearchParams;
}

export type Exchanged =
  /** `body`: the parsed JSON; undefined if it is not JSON. `text`: what was parsed. */
  | { kind: 'answered'; status: number; body: unknown; text: string; retryAfterSeconds?: number }
  /** There was no connection: the provider has seen nothing. */
  | { kind: 'unsent'; reason: string }
  /** The provider may have got the request. */
  | { kind: 'unanswered'; reason: string };

export interface ProviderClient {
  /** Never rejects. Redirects are responses like any other. */
  exchange: (request: ProviderRequest) => Promise<Exchanged>;
  /** Closes all connections once calls under way have ended. */
  close: () => Promise<void>;
}

export interface ProviderClientOptions {
  /** http or https; its path comes before those of requests. */
  baseUrl: string;
  /** For the whole exchange: connection, headers and body. */
  timeoutMs: number;
  clock: Clock;
}

const answerLimitBytes = 256 * 1024;
/** Shorter than the time after which common servers close an idle connection, perhaps under our next request. */
const idleConnectionMs = 4_000;

/** Failed before anything was written. */
class NotConnected extends Error {
  readonly code: string;

  constructor(code: string) {
    super('The provider could not be reached.');
    this.code = code;
  }
}

export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { timeoutMs, clock } = options;
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = withoutTrailingSlashes(pathname);
  // The connection's share of the time: if it took all, nobody could tell that nothing was sent.
  const connect = buildConnector({ allowH2: false, timeout: Math.ceil(timeoutMs / 2) });
  const agent = new Agent({
    connect: (target, callback) =>
      connect(target, (...[error, socket]) =>
        error === null ? callback(null, socket) : callback(new NotConnected(codeOf(error)), null),
      ),
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: idleConnectionMs,
    keepAliveMaxTimeout: idleConnectionMs,
    maxResponseSize: answerLimitBytes,
  });
  return {
    exchange: async ({ method, path, headers, body, form }) => {
      const [type, written] = form === undefined ? [json, bodyOf(body)] : [urlEncoded, form.toString()];
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const answer = await agent.request({
          origin,
          path: prefix + path,
          method,
          headers: { Accept: 'application/json', ...headers, ...(written === null ? {} : type) },
          body: written,
          signal: deadline,
        });
        return await read(answer, clock);
      } catch (error) {
        if (error instanceof NotConnected || error instanceof errors.ClientClosedError)
          return { kind: 'unsent', reason: error.code };
        return { kind: 'unanswered', reason: deadline.aborted ? 'timeout' : codeOf(error) };
      }
    },
    close: async () => {
      if (!agent.destroyed) await agent.close();
    },
  };
}

/** Why there was no response, for operators. */
export function unansweredWords({ kind, reason }: Exclude<Exchanged, { kind: 'answered' }>): string {
  return kind === 'unsent'
    ? `no connection to the provider: ${reason}`
    : `the provider did not respond: ${reason}`;
}

const json = { 'Content-Type': 'application/json' };
const urlEncoded = { 'Content-Type': 'application/x-www-form-urlencoded' };
const bodyOf = (body: unknown) => (body === undefined ? null : JSON.stringify(body));

async function read(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  clock: Clock,
): Promise<Exchanged> {
  const text = await body.text();
  const seconds = retryAfterSeconds(headers['retry-after'], clock.now());
  return {
    kind: 'answered',
    status: statusCode,
    body: parseJson(text),
    text,
    ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }),
  };
}

function codeOf(error: unknown): string {
  if (error instanceof errors.ConnectTimeoutError) return 'timeout';
  return String((error as NodeJS.ErrnoException | null)?.code ?? 'failed');
}
