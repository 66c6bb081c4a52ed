/** The ES256 keys that sign and verify tokens: made once, kept sealed, shared by all processes. */
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { Clock } from '../clock.ts';
import { placeOf, type Secrets } from './secrets.ts';

export const tokenAlgorithm = 'ES256';

/** A key pair as the database holds it. */
export interface StoredKey {
  /** The JWK thumbprint (RFC 7638) of the public key. */
  kid: string;
  /** The private key: a JWK in JSON, sealed. */
  privateJwk: string;
  publicJwk: object;
  createdAt: Date;
}

export interface KeyStore {
  load(): Promise<StoredKey[]>;
  /** Stores `key` unless there is a key already, whatever other processes do at the same moment. */
  insertIfNone(key: StoredKey): Promise<void>;
}

export interface TokenKeys {
  signing: { kid: string; privateKey: CryptoKey };
  /** The public keys by kid. */
  verify: ReadonlyMap<string, CryptoKey>;
  /** The public keys as `/.well-known/jwks.json` publishes them (RFC 7517). */
  jwks: { keys: readonly PublicJwk[] };
}

/** An EC public key on P-256 (RFC 7518, 6.2.1). */
export type PublicJwk = {
  kty: 'EC';
  crv: string;
  x: string;
  y: string;
  kid: string;
  alg: string;
  use: 'sig';
};

/**
 * The keys of `store`, after making the first one if there is none. The newest signs, all verify.
 * Throws when a key cannot be opened: it was sealed with another server key, or for another kid.
 */
export async function loadKeys(store: KeyStore, secrets: Secrets, clock: Clock): Promise<TokenKeys> {
  let stored = await store.load();
  if (stored.length === 0) {
    await store.insertIfNone(await makeKey(secrets, clock));
    stored = await store.load();
  }
  const keys = await Promise.all(stored.toSorted(newestFirst).map((key) => openKey(key, secrets)));
  const [newest] = keys;
  if (newest === undefined) throw new Error('The key store kept no token key.');
  return {
    signing: { kid: newest.kid, privateKey: newest.privateKey },
    verify: new Map(keys.map(({ kid, publicKey }) => [kid, publicKey])),
    jwks: { keys: keys.map(({ publicJwk }) => publicJwk) },
  };
}

function newestFirst(a: StoredKey, b: StoredKey): number {
  return b.createdAt.getTime() - a.createdAt.getTime() || (a.kid < b.kid ? -1 : 1);
}

async function makeKey(secrets: Secrets, clock: Clock): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair(tokenAlgorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return {
    kid,
    privateJwk: secrets.encrypt(JSON.stringify(jwk), placeOf.tokenKey(kid)),
    publicJwk: publicPart(jwk, kid),
    createdAt: new Date(clock.now()),
  };
}

async function openKey({ kid, privateJwk }: StoredKey, secrets: Secrets) {
  const jwk: JWK = JSON.parse(secrets.decrypt(privateJwk, placeOf.tokenKey(kid)));
  // Both halves come out of the seal: whoever can only write to the table cannot make us trust a key of theirs.
  const publicJwk = publicPart(jwk, kid);
  const [privateKey, publicKey] = await Promise.all([
    importJWK({ ...publicJwk, d: jwk.d ?? '' }, tokenAlgorithm),
    importJWK(publicJwk, tokenAlgorithm),
  ]);
  return { kid, privateKey, publicKey, publicJwk };
}

function publicPart({ crv = '', x = '', y = '' }: JWK, kid: string): PublicJwk {
  return { kty: 'EC', crv, x, y, kid, alg: tokenAlgorithm, use: 'sig' };
}
