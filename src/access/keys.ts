/** The ES256 keys that sign and verify tokens: stored encrypted, shared by all processes, rotated without downtime. */
import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import type { Clock } from '../platform/clock.ts';
import { placeOf, type Secrets } from '../platform/secrets/secrets.ts';

export const tokenAlgorithm = 'ES256';

/** A key pair as the database holds it. */
export interface StoredKey {
  /** The JWK thumbprint (RFC 7638) of the public key, in hexadecimal: commands take it, and options begin with a hyphen. */
  kid: string;
  /** The private key: a JWK in JSON, sealed. */
  privateJwk: string;
  publicJwk: object;
  createdAt: Date;
  /** Published at once, so that those who verify tokens know it by the time that it signs. */
  signsFrom: Date;
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

export const tokenLifetimeSeconds = 3600;
/** How long a key outlives the last token it signed: processes read the keys every few seconds. */
const graceSeconds = 60;

/**
 * The keys of `store` as they are used now, after making the first one if there is none. The newest that signs by
 * now signs; those verify whose tokens may still live, or that will sign. Throws when a key cannot be opened: it was sealed with another server key, or for another kid.
 */
export async function loadKeys(store: KeyStore, secrets: Secrets, clock: Clock): Promise<TokenKeys> {
  let stored = await store.load();
  if (stored.length === 0) {
    await store.insertIfNone(await makeKey(secrets, new Date(clock.now())));
    stored = await store.load();
  }
  const { signing, live } = keysAt(stored, clock.now());
  const keys = await Promise.all(live.map((key) => openKey(key, secrets)));
  const signer = keys.find(({ kid }) => kid === signing?.kid);
  if (signer === undefined) throw new Error('The key store kept no token key.');
  return {
    signing: { kid: signer.kid, privateKey: signer.privateKey },
    verify: new Map(keys.map(({ kid, publicKey }) => [kid, publicKey])),
    jwks: { keys: keys.map(({ publicJwk }) => publicJwk) },
  };
}

/** Which key signs at a moment, and which verify then, newest first. */
export function keysAt<Key extends Pick<StoredKey, 'kid' | 'signsFrom'>>(
  stored: readonly Key[],
  nowMs: number,
): { signing: Key | undefined; live: Key[] } {
  const newestFirst = stored.toSorted(
    (a, b) => b.signsFrom.getTime() - a.signsFrom.getTime() || (a.kid < b.kid ? -1 : 1),
  );
  const started = newestFirst.filter(({ signsFrom }) => signsFrom.getTime() <= nowMs);
  const signing = started[0] ?? newestFirst.at(-1);
  const lastTokenMs = nowMs - (tokenLifetimeSeconds + graceSeconds) * 1000;
  const live = newestFirst.filter((key) => {
    const successor = started[started.indexOf(key) - 1];
    return successor === undefined || successor.signsFrom.getTime() > lastTokenMs;
  });
  return { signing, live };
}

/** A new key, sealed; it signs from `signsFrom` on. */
export async function makeKey(
  secrets: Pick<Secrets, 'encrypt'>,
  signsFrom: Date,
  createdAt = signsFrom,
): Promise<StoredKey> {
  const { privateKey } = await generateKeyPair(tokenAlgorithm, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = Buffer.from(await calculateJwkThumbprint(jwk), 'base64url').toString('hex');
  return {
    kid,
    privateJwk: secrets.encrypt(JSON.stringify(jwk), placeOf.tokenKey(kid)),
    publicJwk: publicPart(jwk, kid),
    createdAt,
    signsFrom,
  };
}

async function openKey({ kid, privateJwk }: StoredKey, secrets: Secrets) {
  const jwk: JWK = JSON.parse(secrets.decrypt(privateJwk, placeOf.tokenKey(kid)));
  // Both halves come out of the seal: somebody who can only write to the table cannot make us trust a key of theirs.
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
