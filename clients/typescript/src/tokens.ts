/** Gets access tokens by client credentials (RFC 6749, section 4.4) and keeps each until shortly before it ends. */
import type { components } from './openapi.d.ts';
import type { Transport } from './transport.ts';

export interface Credentials {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  scope?: string;
}

export interface Tokens {
  /** The token in use, or a first one. */
  current: () => Promise<string>;
  /** A new token, in place of one that was refused. */
  renewed: () => Promise<string>;
}

/** The credentials were refused: `status` and `error` are the token endpoint's. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly status: number;
  readonly error: string;

  constructor(status: number, error: string, description: string) {
    super(`no access token: ${description}`);
    this.status = status;
    this.error = error;
  }
}

/** A token this close to its end may be over when it arrives. */
const marginMs = 60_000;

interface Token {
  value: string;
  renewAtMs: number;
}

/** Calls that need a token at the same time share one request for it. */
export function createTokens(credentials: Credentials, transport: Transport, now = Date.now): Tokens {
  let token: Token | undefined;
  let pending: Promise<Token> | undefined;

  const renewed = async (): Promise<string> => {
    pending ??= requestToken(credentials, transport, now).finally(() => {
      pending = undefined;
    });
    token = await pending;
    return token.value;
  };
  return {
    current: async () => (token !== undefined && now() < token.renewAtMs ? token.value : renewed()),
    renewed,
  };
}

async function requestToken(
  { baseUrl, clientId, clientSecret, scope }: Credentials,
  transport: Transport,
  now: () => number,
): Promise<Token> {
  const askedAtMs = now();
  const response = await transport(
    new Request(`${withoutTrailingSlashes(baseUrl)}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
        ...(scope === undefined ? {} : { scope }),
      }),
    }),
  );
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const { error = 'unknown', error_description = `the answer was ${response.status}` } = (body ??
      {}) as Partial<components['schemas']['OAuthError']>;
    throw new TokenError(response.status, error, error_description);
  }
  const { access_token, expires_in } = body as components['schemas']['TokenAnswer'];
  const lifetimeMs = expires_in * 1000;
  return { value: access_token, renewAtMs: askedAtMs + Math.max(lifetimeMs - marginMs, lifetimeMs / 2) };
}

function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
