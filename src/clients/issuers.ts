/** Verifies access tokens of other issuers that this deployment trusts: OpenID Connect providers such as Keycloak. */
import { createRemoteJWKSet, decodeJwt, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { request } from 'undici';
import type { Clock, Stopwatch } from '../clock.ts';
import { errors } from '../errors.ts';
import type { TrustedIssuer } from './trusted-issuer.ts';
import { rememberVerified, type VerifiedToken, type VerifyToken } from './verified-tokens.ts';

export interface IssuerDependencies {
  clock: Clock & Stopwatch;
  /** Called once when an issuer's keys cannot be read, and once when they can be read again. */
  onReachable: (issuer: string, reachable: boolean, reason?: string) => void;
  /**
   * How long an issuer that did not answer is left alone: its tokens fail at once, and no others wait. Keys are
   * read again for an unknown key id no more often.
   */
  pauseMs?: number;
}

/** Asymmetric only: whoever knows a published key must not be able to sign. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
/** Tokens of providers list roles and names; the whole header section has 16 KiB. */
const tokenLimitBytes = 8_192;
const clockToleranceSeconds = 10;

/** Verifies with `own` what names no trusted issuer. */
export function createIssuers(
  trusted: readonly TrustedIssuer[],
  own: VerifyToken,
  dependencies: IssuerDependencies,
): VerifyToken {
  if (trusted.length === 0) return own;
  const verifiers = new Map(trusted.map((one) => [one.issuer, createVerifier(one, dependencies)]));
  return async (token) => {
    const verify = verifiers.get(issuerNamedIn(token) ?? '');
    return verify === undefined ? own(token) : verify(token);
  };
}

/** What a token says before anything of it is verified: chooses the keys that judge it. */
function issuerNamedIn(token: string): string | undefined {
  try {
    return token.length > tokenLimitBytes ? undefined : decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function createVerifier(trusted: TrustedIssuer, dependencies: IssuerDependencies): VerifyToken {
  const keyOf = createKeySource(trusted, dependencies);
  return rememberVerified(async (token) => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
        algorithms,
        issuer: trusted.issuer,
        audience: trusted.audience,
        clockTolerance: clockToleranceSeconds,
        currentDate: new Date(dependencies.clock.now()),
        requiredClaims: ['exp', 'iat'],
      });
      return { ...verifiedToken(payload, trusted), kid: protectedHeader.kid ?? '' };
    } catch {
      throw errors.invalidToken();
    }
  }, dependencies.clock);
}

function verifiedToken(payload: JWTPayload, trusted: TrustedIssuer): Omit<VerifiedToken, 'kid'> {
  const { iat = 0, exp = 0, typ } = payload;
  const clientId = claimOf(payload, trusted.clientIdClaims);
  // Keycloak marks who a token is for: an ID token tells an application who its user is, and opens nothing.
  if (typeof clientId !== 'string' || typ === 'ID') throw errors.invalidToken();
  return {
    issuer: trusted.issuer,
    clientId,
    scopes: scopesIn(claimOf(payload, [trusted.scopeClaim])),
    // `iat` has whole seconds: the last instant of its second, or a client added just now would have to wait.
    validFromMs: iat * 1000 + 999,
    expiresAtMs: exp * 1000,
  };
}

function claimOf(payload: JWTPayload, names: readonly string[]): unknown {
  for (const name of names) if (payload[name] !== undefined) return payload[name];
  return undefined;
}

/** RFC 8693, 4.2 separates them by spaces; some providers send a list. */
function scopesIn(claim: unknown): string[] {
  const words = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return words.filter((word): word is string => typeof word === 'string' && word !== '');
}

const timeoutMs = 3_000;
const defaultPauseMs = 5_000;
/** How long keys are used before they are read again; an unknown key id has them read at once. */
const keysLifetimeMs = 600_000;

function createKeySource(
  trusted: TrustedIssuer,
  { clock, onReachable, pauseMs = defaultPauseMs }: IssuerDependencies,
): JWTVerifyGetKey {
  let keySet: ReturnType<typeof createRemoteJWKSet> | undefined;
  let failedAtMs: number | undefined;

  const findKey: JWTVerifyGetKey = async (header, token) => {
    keySet ??= createRemoteJWKSet(await jwksUrlOf(trusted), {
      timeoutDuration: timeoutMs,
      cooldownDuration: pauseMs,
      cacheMaxAge: keysLifetimeMs,
    });
    return keySet(header, token);
  };

  return async (header, token) => {
    if (failedAtMs !== undefined && clock.elapsedMs() - failedAtMs < pauseMs)
      throw new Error('the issuer is not reachable');
    try {
      const key = await findKey(header, token);
      if (failedAtMs !== undefined) onReachable(trusted.issuer, true);
      failedAtMs = undefined;
      return key;
    } catch (error) {
      if (!isAboutToken(error)) {
        if (failedAtMs === undefined) onReachable(trusted.issuer, false, reasonOf(error));
        failedAtMs = clock.elapsedMs();
      }
      throw error;
    }
  };
}

/** The keys were read, and none of them is the token's. */
function isAboutToken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && tokenFaults.includes(String(error.code));
}

const tokenFaults = ['ERR_JWKS_NO_MATCHING_KEY', 'ERR_JWKS_MULTIPLE_MATCHING_KEYS', 'ERR_JOSE_NOT_SUPPORTED'];

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** From the settings, or from the provider's metadata (OpenID Connect Discovery 1.0, 4). */
async function jwksUrlOf({ issuer, jwksUrl }: TrustedIssuer): Promise<URL> {
  if (jwksUrl !== undefined) return new URL(jwksUrl);
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  // Follows no redirect.
  const { statusCode, body } = await request(address, { signal: AbortSignal.timeout(timeoutMs) });
  const metadata: unknown = statusCode === 200 ? await body.json() : await body.dump();
  if (statusCode !== 200) throw new Error(`${address} answered ${statusCode}`);
  const { issuer: named, jwks_uri: uri } = metadata as { issuer?: unknown; jwks_uri?: unknown };
  if (named !== issuer) throw new Error(`${address} names another issuer`);
  if (typeof uri !== 'string' || !URL.canParse(uri)) throw new Error(`${address} names no jwks_uri`);
  return new URL(uri);
}
