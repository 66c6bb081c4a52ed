/** The grant of a verified access token, cached so that it is not verified for every request. */
import { hash } from 'node:crypto';
import type { Clock, Stopwatch } from '../../platform/clock.ts';
import { createExpiringMap } from '../../platform/concurrency/expiring-map.ts';

export interface VerifiedToken {
  /** Null: this service issued it. */
  issuer: string | null;
  clientId: string;
  scopes: readonly string[];
  /** The client's `tokensValidFromMs` when the token was issued; of other issuers, the time of issue. */
  validFromMs: number;
  /** Milliseconds since 1970. */
  expiresAtMs: number;
  /** The key that signed it. */
  kid: string;
}

/**
 * Rejects with `errors.invalidToken` for anything but a live token. `beforeVerifying` is called, and may throw, if
 * the token is not cached.
 */
export type VerifyToken = (token: string, beforeVerifying?: () => void) => Promise<VerifiedToken>;

const cacheLimitTokens = 10_000;
const cacheLifetimeMs = 60_000;

/** Caches verified tokens for a minute or until they expire, as long as they `stillHolds`. */
export function rememberVerified(
  verify: VerifyToken,
  clock: Clock & Stopwatch,
  { stillHolds = async () => true }: { stillHolds?: (token: VerifiedToken) => Promise<boolean> } = {},
): VerifyToken {
  const verified = createExpiringMap<VerifiedToken>(cacheLimitTokens, clock);
  return async (token, beforeVerifying) => {
    // The cache holds no usable token, only what one hashes to.
    const cacheKey = hash('sha256', token, 'base64url');
    const known = verified.get(cacheKey);
    if (known !== undefined && (await stillHolds(known))) return known;
    beforeVerifying?.();
    const fresh = await verify(token);
    verified.set(cacheKey, fresh, Math.min(fresh.expiresAtMs - clock.now(), cacheLifetimeMs));
    return fresh;
  };
}
