/** Verifies access tokens of other issuers that this deployment trusts: OpenID Connect providers such as Keycloak. */

import { decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import type { Clock, Stopwatch } from '../../platform/clock.ts';
import { errors, Rejection } from '../../platform/errors.ts';
import { own } from '../../platform/text/own.ts';
import { isStorable } from '../../platform/text/printable.ts';
import { tokenFault } from '../tokens.ts';
import { createIssuerKeys, type IssuerKeysDependencies } from './issuer-keys.ts';
import type { TrustedIssuer } from './trusted-issuer.ts';
import { rememberVerified, type VerifiedToken, type VerifyToken } from './verified-tokens.ts';

export interface IssuerDependencies extends IssuerKeysDependencies {
  clock: Clock & Stopwatch;
}

/** Asymmetric only: a published key must not be able to sign. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'Ed25519',
  'EdDSA',
];
/** Tokens of providers list roles and names; the whole header section has 16 KiB. */
const tokenLimitBytes = 8_192;
const clockToleranceSeconds = 10;
/** Of access tokens (RFC 9068, 4; most providers say JWT or nothing), not of what else a provider signs. */
const tokenTypes = ['at+jwt', 'application/at+jwt', 'jwt', undefined];

/** Verifies with `own` what names no trusted issuer. */
export function createIssuers(
  trusted: readonly TrustedIssuer[],
  own: VerifyToken,
  dependencies: IssuerDependencies,
): VerifyToken {
  if (trusted.length === 0) return own;
  const verifiers = new Map(trusted.map((one) => [one.issuer, createVerifier(one, dependencies)]));
  return async (token, beforeVerifying) => {
    const verify = verifiers.get(issuerNamedIn(token) ?? '');
    return (verify ?? own)(token, beforeVerifying);
  };
}

/** Claims of a token before it is verified: they select the keys for that. */
function issuerNamedIn(token: string): string | undefined {
  try {
    return token.length > tokenLimitBytes ? undefined : decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function createVerifier(trusted: TrustedIssuer, dependencies: IssuerDependencies): VerifyToken {
  const keyOf = createIssuerKeys(trusted, dependencies);
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
      if (!tokenTypes.includes(protectedHeader.typ?.toLowerCase())) throw errors.invalidToken('claim-typ');
      // A token from the future would outlive every revocation until then.
      if (Number(payload.iat) * 1000 > dependencies.clock.now() + clockToleranceSeconds * 1000)
        throw errors.invalidToken('claim-iat');
      return { ...verifiedToken(payload, trusted), kid: protectedHeader.kid ?? '' };
    } catch (error) {
      throw error instanceof Rejection ? error : errors.invalidToken(tokenFault(error));
    }
  }, dependencies.clock);
}

function verifiedToken(payload: JWTPayload, trusted: TrustedIssuer): Omit<VerifiedToken, 'kid'> {
  const { iat = 0, exp = 0, typ } = payload;
  const clientId = claimOf(payload, trusted.clientIdClaims);
  // Keycloak marks the purpose of a token: an ID token tells an application who its user is, and permits nothing.
  if (typeof clientId !== 'string' || !isStorable(clientId) || typ === 'ID')
    throw errors.invalidToken('claims');
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
  return names.map((name) => own(payload, name)).find((claim) => claim !== undefined);
}

/** RFC 8693, 4.2 separates them by spaces; some providers send a list. */
function scopesIn(claim: unknown): string[] {
  const words = typeof claim === 'string' ? claim.split(' ') : Array.isArray(claim) ? claim : [];
  return words.filter((word): word is string => typeof word === 'string' && word !== '');
}
