/** Gets access tokens by client credentials (RFC 6749, section 4.4) and keeps each until shortly before it expires. */
import { errorOf, parsed, TarishiError } from './errors.ts';
import type { components } from './openapi.d.ts';
import type { Transport } from './transport.ts';

export interface Credentials {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  scope?: string | undefined;
}

export interface Tokens {
  /** A valid token, as far as is known. */
  current: () => Promise<string>;
  /** A token other than `refused`, which got a 401. */
  insteadOf: (refused: string) => Promise<string>;
}

/** A token this close to its end may have expired when it arrives. */
const marginMs = 60_000;

interface Token {
  value: string;
  renewAtMs: number;
}

/** Calls that need a token at the same time share one request for it. */
export function createTokens(credentials: Credentials, transport: Transport): Tokens {
  let token: Token | undefined;
  let pending: Promise<Token> | undefined;

  const renewed = async (): Promise<string> => {
    pending ??= requestToken(credentials, transport).finally(() => {
      pending = undefined;
    });
    token = await pending;
    return token.value;
  };
  const isValid = (one: Token | undefined): one is Token => one !== undefined && Date.now() < one.renewAtMs;
  return {
    current: async () => (isValid(token) ? token.value : renewed()),
    // Another call may have renewed it while this one waited for its 401.
    insteadOf: async (refused) => (isValid(token) && token.value !== refused ? token.value : renewed()),
  };
}

async function requestToken(credentials: Credentials, transport: Transport): Promise<Token> {
  const { baseUrl, clientId, clientSecret, scope } = credentials;
  const requestedAtMs = Date.now();
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(scope === undefined ? {} : { scope }),
  });
  const reply = await transport({
    url: `${baseUrl}/oauth/token`,
    method: 'POST',
    headers: new Headers({ 'Content-Type': 'application/x-www-form-urlencoded' }),
    body: form.toString(),
    retryable: true,
  });
  if (reply.status !== 200) throw errorOf(reply);
  const { access_token, expires_in } = (parsed(reply.text) ?? {}) as Partial<
    components['schemas']['TokenResponse']
  >;
  if (access_token === undefined || expires_in === undefined)
    throw new TarishiError({ status: 200, code: 'unknown', desc: 'The response holds no access token' });
  const lifetimeMs = expires_in * 1000;
  return { value: access_token, renewAtMs: requestedAtMs + Math.max(lifetimeMs - marginMs, lifetimeMs / 2) };
}
