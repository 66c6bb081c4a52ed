/** A client that repeats a request under one Idempotency-Key until it is answered. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';

export interface Response {
  status: number;
  body: string;
}

export interface Client {
  /** Gets a token before anything is counted. */
  logIn: () => Promise<void>;
  /** Resolves with the response that is final: accepted, or refused for good. Never, if it gives up before. */
  post: (path: string, body?: object) => Promise<Response>;
  /** Ends all that is under way. */
  giveUp: () => void;
}

export interface ClientOptions {
  /** Where the service is reached now; undefined: nowhere. */
  port: () => number | undefined;
  clientId: string;
  clientSecret: string;
  /** Called with every response that is not final, and every failure. */
  onRetry: (words: string) => void;
}

const timeoutMs = 10_000;
const retryMs = 1_000;

export function createClient({ port, clientId, clientSecret, onRetry }: ClientOptions): Client {
  let token = '';
  let round = 0;
  const logIn = async () => {
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const { body } = await untilFinal('/oauth/token', new URLSearchParams(form).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    token = JSON.parse(body).access_token;
  };
  const untilFinal = async (
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<Response> => {
    for (const own = round; own === round; ) {
      const to = port();
      const response = to === undefined ? 'nobody listens' : await call(to, path, body, headers);
      if (typeof response === 'object' && isFinal(response)) return response;
      if (typeof response === 'object' && response.status === 401 && own === round) await logIn();
      onRetry(typeof response === 'string' ? response : `${response.status} ${response.body}`);
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
    return new Promise(() => {});
  };
  return {
    logIn,
    giveUp: () => {
      round += 1;
    },
    post: (path, body) =>
      untilFinal(path, body && JSON.stringify(body), {
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        get authorization() {
          return `Bearer ${token}`;
        },
      }),
  };
}

/** 401: the token has expired. 409: the same key is still being worked on, or nothing is left to cancel. */
function isFinal({ status, body }: Response): boolean {
  if (status === 409) return !body.includes('still running');
  return status < 500 && ![401, 429].includes(status);
}

/** A response, or why there is none. */
export function call(
  port: number,
  path: string,
  body: string | undefined,
  headers: Record<string, string>,
): Promise<Response | string> {
  return new Promise((resolve) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: 'POST',
        agent: false,
        headers: { ...headers, connection: 'close' },
      },
      async (response) => {
        const chunks: Buffer[] = [];
        try {
          for await (const chunk of response) chunks.push(chunk);
        } catch (error) {
          return resolve((error as Error).message);
        }
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      },
    );
    const timer = setTimeout(() => sent.destroy(new Error('no response in time')), timeoutMs);
    sent.on('error', (error) => {
      clearTimeout(timer);
      resolve(error.message);
    });
    sent.end(body);
  });
}
