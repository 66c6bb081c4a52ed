/** The Tarishi API as a typed client: openapi-fetch over a transport that manages tokens and retries safely. */
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './openapi.d.ts';
import { createTokens } from './tokens.ts';
import { createTransport } from './transport.ts';

export { type Receipt, verifyReceipt, WebhookVerificationError } from './receipts.ts';
export { TokenError } from './tokens.ts';
export type { components, paths };

export interface TarishiOptions {
  /** Where the service is, for example `https://sms.example.com`. */
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** The scopes to ask for, separated by spaces; all of the client's when absent. */
  scope?: string;
  /** How often a call is repeated at most; 4 when absent. */
  retries?: number;
  /** Milliseconds after which an attempt counts as failed; 30,000 when absent. */
  timeoutMs?: number;
  /** Used in place of the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

export type Tarishi = Client<paths, `${string}/${string}`>;

/**
 * A client that asks for a token when it needs one. Calls answer `{data}` or `{error, response}` as openapi-fetch
 * does; they reject with the last network fault, with TokenError when the credentials are refused, or when
 * `signal` aborts. Every POST carries an Idempotency-Key, yours or a new one, so that its repetitions after a lost
 * answer, 409, 429 or 5xx have one effect.
 */
export function createTarishi(options: TarishiOptions): Tarishi {
  const { baseUrl, retries = 4, timeoutMs = 30_000, fetch = globalThis.fetch } = options;
  const transport = createTransport({ fetch, retries, timeoutMs });
  const tokens = createTokens(options, transport);

  return createClient<paths>({
    baseUrl,
    fetch: async (request) => {
      // Set once: the repetitions of a call are the same call.
      if (request.method === 'POST' && !request.headers.has('Idempotency-Key'))
        request.headers.set('Idempotency-Key', crypto.randomUUID());
      const sendWith = (token: string) => {
        const authorized = request.clone();
        authorized.headers.set('Authorization', `Bearer ${token}`);
        return transport(authorized);
      };
      const response = await sendWith(await tokens.current());
      // The token may have been withdrawn before its time; a fresh one tells whether the client has been, too.
      return response.status === 401 ? sendWith(await tokens.renewed()) : response;
    },
  });
}
