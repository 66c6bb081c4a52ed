/** Issues and verifies access tokens: JSON Web Tokens by RFC 9068. */
import { randomUUID } from 'node:crypto';
import { errors as joseErrors, jwtVerify, SignJWT } from 'jose';
import type { Clock, Stopwatch } from '../platform/clock.ts';
import { errors, Rejection } from '../platform/errors.ts';
import type { Client } from './client.ts';
import { rememberVerified, type VerifiedToken, type VerifyToken } from './issuers/verified-tokens.ts';
import type { Keyring } from './keyring.ts';
import { type TokenKeys, tokenAlgorithm, tokenLifetimeSeconds } from './keys.ts';

export interface IssuedToken {
  accessToken: string;
  expiresInSeconds: number;
  /** The token's scopes, separated by spaces. */
  scope: string;
}

export interface Tokens {
  issue(client: Client, scopes: readonly string[]): Promise<IssuedToken>;
  /** Rejects with `errors.invalidToken` for anything but a live token of ours. */
  verify: VerifyToken;
}

export interface TokenSettings {
  keyring: Keyring;
  /** The `iss` claim. */
  issuer: string;
  /** The `aud` claim. */
  audience: string;
  clock: Clock & Stopwatch;
  lifetimeSeconds?: number;
}

const tokenType = 'at+jwt';
/** A claim of our own: `iat` has whole seconds, too coarse to tell what came before a revocation. */
const validFromClaim = 'tokens_valid_from';
const tokenLimitBytes = 4096;

export function createTokens(settings: TokenSettings): Tokens {
  const { keyring, issuer, audience, clock, lifetimeSeconds = tokenLifetimeSeconds } = settings;
  const verify = rememberVerified(
    async (token) => verifySigned(token, await keyring.current(), settings),
    clock,
    {
      // A revoked key invalidates its tokens.
      stillHolds: async ({ kid }) => (await keyring.current()).verify.has(kid),
    },
  );

  return {
    async issue(client, scopes) {
      const { signing } = await keyring.current();
      const issuedAt = Math.floor(clock.now() / 1000);
      const scope = scopes.join(' ');
      const accessToken = await new SignJWT({
        client_id: client.id,
        scope,
        [validFromClaim]: client.tokensValidFromMs,
      })
        .setProtectedHeader({ typ: tokenType, alg: tokenAlgorithm, kid: signing.kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(client.id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetimeSeconds)
        .setJti(randomUUID())
        .sign(signing.privateKey);
      return { accessToken, expiresInSeconds: lifetimeSeconds, scope };
    },

    async verify(token, beforeVerifying) {
      if (token.length > tokenLimitBytes) throw errors.invalidToken('too-long');
      return verify(token, beforeVerifying);
    },
  };
}

async function verifySigned(
  token: string,
  keys: TokenKeys,
  { issuer, audience, clock }: TokenSettings,
): Promise<VerifiedToken> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, ({ kid }) => keyOf(keys, kid), {
      algorithms: [tokenAlgorithm],
      typ: tokenType,
      issuer,
      audience,
      currentDate: new Date(clock.now()),
      requiredClaims: ['sub', 'iat', 'jti'],
    });
    const { client_id: clientId, scope, exp, [validFromClaim]: validFromMs } = payload;
    if (typeof clientId !== 'string' || typeof scope !== 'string' || exp === undefined)
      throw errors.invalidToken('claims');
    if (typeof validFromMs !== 'number') throw errors.invalidToken('claims');
    const scopes = scope.split(' ').filter((word) => word !== '');
    return {
      issuer: null,
      clientId,
      scopes,
      validFromMs,
      expiresAtMs: exp * 1000,
      kid: protectedHeader.kid ?? '',
    };
  } catch (error) {
    // This does nothing but compute: every failure is the token's.
    throw error instanceof Rejection ? error : errors.invalidToken(tokenFault(error));
  }
}

function keyOf(keys: TokenKeys, kid: string | undefined) {
  const key = keys.verify.get(kid ?? '');
  if (key === undefined) throw errors.invalidToken('unknown-key');
  return key;
}

/** For the log: such as `expired`, `signature`, or the claim that is wrong. */
export function tokenFault(error: unknown): string {
  if (error instanceof joseErrors.JWTExpired) return 'expired';
  if (error instanceof joseErrors.JWTClaimValidationFailed) return `claim-${error.claim}`;
  if (error instanceof joseErrors.JWSSignatureVerificationFailed) return 'signature';
  if (error instanceof joseErrors.JWKSNoMatchingKey) return 'unknown-key';
  return error instanceof joseErrors.JOSEError ? 'malformed' : 'keys-unreachable';
}
