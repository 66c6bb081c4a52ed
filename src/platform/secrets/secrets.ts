/** Protects secrets: hashes those that are only compared, encrypts those that must be read again. */
import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from 'node:crypto';
import { hmac, type PassingKeys, type SecretKey, type SecretKeyRing, secretKeyOf } from './secret-keys.ts';

/**
 * Everything that needs the server key. Values sealed, hashed or confirmed with it are worthless without it. Each
 * begins with the id of its key; after a key was replaced, values of the former one stay good for as long as this
 * process has been given both.
 */
export interface Secrets {
  /** HMAC-SHA256: `<key id>.` and 64 hexadecimal digits. Enough for generated secrets, which nobody can guess. */
  hash(secret: string): string;
  /** A hash made with a former key, as the newest makes it: without the secret, by hashing the hash. */
  rehash(hash: string): string;
  /** The hash that replaces a phone number that is no longer stored: the same for the same number. Hashes stay. */
  hashPhone(phone: string): string;
  /** Whether `secret` has one of `hashes`. Its time tells neither whether nor which. */
  matches(secret: string, hashes: readonly string[]): boolean;
  /** AES-256-GCM: `v1.<key id>.` and the base64url of nonce, ciphertext and tag. Opens only for the same place. */
  encrypt(plain: string, place: Place): string;
  /** Opens what `encrypt` made. Throws when the server key or the place is another one, or the value was altered. */
  decrypt(sealed: string, place: Place): string;
  /** HMAC-SHA256 of a list, which proves that this service has seen it: `<key id>.` and 64 hexadecimal digits. */
  confirm(list: Confirmed): string;
  /** Whether `confirm` made it for this list. Undefined: with a key that this process has not been given. */
  confirms(list: Confirmed, confirmation: string): boolean | undefined;
  ring(): SecretKeyRing;
  /** From now on the keys are these. */
  use(ring: SecretKeyRing): void;
}

type Confirmed = readonly (string | number)[];

/**
 * Where a sealed value is stored: somebody who can only write to the database cannot move it to another row.
 * Cursors are kept by clients; their row is the list that they belong to.
 */
export interface Place {
  column:
    | 'clients.signing_secrets'
    | 'connectors.secrets'
    | 'token_keys.private_jwk'
    | 'secret_keys.lasting'
    | 'console_sessions.searches'
    | 'cursors';
  /** The row's primary key. */
  row: string;
}

export const placeOf = {
  signingSecret: (clientId: string): Place => ({ column: 'clients.signing_secrets', row: clientId }),
  connectorSecrets: (connector: string): Place => ({ column: 'connectors.secrets', row: connector }),
  tokenKey: (kid: string): Place => ({ column: 'token_keys.private_jwk', row: kid }),
  lastingKeys: (keyId: string): Place => ({ column: 'secret_keys.lasting', row: keyId }),
  search: (sessionHash: string): Place => ({ column: 'console_sessions.searches', row: sessionHash }),
  cursor: (list: string): Place => ({ column: 'cursors', row: list }),
};

const nonceBytes = 12;
const tagBytes = 16;
const cipher = 'aes-256-gcm';
const sealedForm = /^v1\.([0-9a-f]{8})\.([\w-]+)$/;

/** With one key of 32 bytes, which nothing has replaced. */
export function createSecrets(serverKey: Uint8Array): Secrets {
  const key = secretKeyOf(serverKey);
  return secretsOf({ keys: [key], active: key.id });
}

export function secretsOf(first: SecretKeyRing): Secrets {
  let ring = first;
  const indexOf = (id: string) => ring.keys.findIndex((key) => key.id === id);
  const passing = (id: string) => ring.keys.find((key) => key.id === id)?.passing;
  /** Of the key that makes new values. */
  const active = (): SecretKey & { passing: PassingKeys } => {
    const found = ring.keys[indexOf(ring.active)];
    if (found?.passing === undefined) throw new Error('The active key is not in the ring.');
    return { ...found, passing: found.passing };
  };
  /** Each key hashes what the one before it made: a hash of any key leads to those of all later ones. */
  const digests = (secret: string) => {
    let last: string | Buffer = secret;
    return ring.keys.map(({ hash }) => {
      last = hmac(hash, last);
      return last;
    });
  };
  /** Cursors are not stored, so nothing can seal them again: their key is kept. */
  const sealingKey = ({ column }: Place, id: string) =>
    column === 'cursors' ? ring.keys[indexOf(id)]?.cursor : passing(id)?.seal;

  return {
    hash: (secret) => `${ring.active}.${digests(secret)[indexOf(ring.active)]?.toString('hex')}`,
    rehash(hash) {
      const [id = '', hex = ''] = hash.split('.');
      if (indexOf(id) === -1) throw new Error('The hash was made with an unknown key.');
      const later = ring.keys.slice(indexOf(id) + 1, indexOf(ring.active) + 1);
      const digest = later.reduce<Buffer>((last, key) => hmac(key.hash, last), Buffer.from(hex, 'hex'));
      return later.length === 0 ? hash : `${ring.active}.${digest.toString('hex')}`;
    },
    hashPhone: (phone) =>
      // The first key's for ever: numbers that were erased cannot be hashed again, and limits must outlive them.
      phone.startsWith('#') ? phone : `#${hmac(ring.keys[0].phone, phone).toString('base64url')}`,
    matches(secret, hashes) {
      const actual = digests(secret);
      let found = false;
      for (const hash of hashes) {
        const [id = '', hex = ''] = hash.split('.');
        const expected = Buffer.from(hex, 'hex');
        // A former key alone must not make hashes that are accepted.
        const digest = passing(id) && actual[indexOf(id)];
        const same = digest?.length === expected.length && timingSafeEqual(expected, digest);
        found = same || found;
      }
      return found;
    },
    encrypt(plain, place) {
      const key = place.column === 'cursors' ? active().cursor : active().passing.seal;
      return `v1.${ring.active}.${seal(plain, place, key)}`;
    },
    decrypt(sealed, place) {
      const [, id = '', value = ''] = sealedForm.exec(sealed) ?? [];
      const bytes = Buffer.from(value, 'base64url');
      if (bytes.length < nonceBytes + tagBytes)
        throw new Error('This is not a sealed value of a known version.');
      return open(bytes, place, sealingKey(place, id));
    },
    confirm: (list) =>
      `${ring.active}.${hmac(active().passing.ledger, JSON.stringify(list)).toString('hex')}`,
    confirms(list, confirmation) {
      const [id = '', hex = ''] = confirmation.split('.');
      const key = passing(id)?.ledger;
      if (key === undefined) return undefined;
      const expected = Buffer.from(hex, 'hex');
      const actual = hmac(key, JSON.stringify(list));
      return expected.length === actual.length && timingSafeEqual(expected, actual);
    },
    ring: () => ring,
    use: (next) => {
      ring = next;
    },
  };
}

/** A client secret: 32 random bytes in base64url (43 characters). */
export function generateClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** A secret that signs callbacks, as Standard Webhooks writes it: `whsec_` and 32 random bytes in base64. */
export function generateSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function seal(plain: string, place: Place, key: Buffer): string {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  sealing.setAAD(authenticated(place));
  const text = Buffer.concat([sealing.update(plain, 'utf8'), sealing.final()]);
  return Buffer.concat([nonce, text, sealing.getAuthTag()]).toString('base64url');
}

function open(bytes: Buffer, place: Place, key: Buffer | undefined): string {
  try {
    if (key === undefined) throw new Error('not given');
    const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
    opening.setAAD(authenticated(place));
    opening.setAuthTag(bytes.subarray(-tagBytes));
    return opening.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + opening.final('utf8');
  } catch {
    throw new Error(
      `The sealed value in ${place.column} of "${place.row}" cannot be opened: ` +
        'the server key is not the one it was sealed with, or the value belongs to another row.',
    );
  }
}

/** The additional data of AES-GCM: not in the sealed value, but needed to open it. */
function authenticated({ column, row }: Place): Buffer {
  return Buffer.from(JSON.stringify([column, row]));
}
