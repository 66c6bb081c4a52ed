/** Protects secrets: hashes those that are only compared, encrypts those that must be read again. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Everything that needs the server key. Values sealed or hashed with it are worthless without it. */
export interface Secrets {
  /** HMAC-SHA256 in hex (64 characters). Enough for generated secrets, which nobody can guess. */
  hash(secret: string): string;
  /** The hash that replaces a phone number that is no longer stored: the same for the same number. Hashes stay. */
  hashPhone(phone: string): string;
  /** Whether `secret` has one of `hashes`. Its time tells neither whether nor which. */
  matches(secret: string, hashes: readonly string[]): boolean;
  /** AES-256-GCM: `v1.` and the base64url of nonce, ciphertext and tag. Opens only for the same place. */
  encrypt(plain: string, place: Place): string;
  /** Opens what `encrypt` made. Throws when the server key or the place is another one, or the value was altered. */
  decrypt(sealed: string, place: Place): string;
}

/**
 * Where a sealed value is stored: somebody who can only write to the database cannot move it to another row.
 * Cursors are kept by clients; their row is the list that they belong to.
 */
export interface Place {
  column: 'clients.signing_secrets' | 'connectors.secrets' | 'token_keys.private_jwk' | 'cursors';
  /** The row's primary key. */
  row: string;
}

export const placeOf = {
  signingSecret: (clientId: string): Place => ({ column: 'clients.signing_secrets', row: clientId }),
  connectorSecrets: (connector: string): Place => ({ column: 'connectors.secrets', row: connector }),
  tokenKey: (kid: string): Place => ({ column: 'token_keys.private_jwk', row: kid }),
  cursor: (list: string): Place => ({ column: 'cursors', row: list }),
};

const serverKeyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
const cipher = 'aes-256-gcm';
const version = 'v1.';

/** `serverKey`: 32 bytes. Throws for any other size. */
export function createSecrets(serverKey: Uint8Array): Secrets {
  if (serverKey.length !== serverKeyBytes)
    throw new Error(`The server key must have ${serverKeyBytes} bytes.`);
  const hashKey = subKey(serverKey, 'tarishi hash v1');
  const sealKey = subKey(serverKey, 'tarishi seal v1');
  const phoneKey = subKey(serverKey, 'tarishi phone v1');
  const digest = (secret: string) => createHmac('sha256', hashKey).update(secret).digest();

  return {
    hash: (secret) => digest(secret).toString('hex'),
    hashPhone: (phone) =>
      phone.startsWith('#') ? phone : `#${createHmac('sha256', phoneKey).update(phone).digest('base64url')}`,
    matches(secret, hashes) {
      const actual = digest(secret);
      let found = false;
      for (const hash of hashes) {
        const expected = Buffer.from(hash, 'hex');
        const same = expected.length === actual.length && timingSafeEqual(expected, actual);
        found = same || found;
      }
      return found;
    },
    encrypt: (plain, place) => seal(plain, place, sealKey),
    decrypt: (sealed, place) => open(sealed, place, sealKey),
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

/** HKDF (RFC 5869): each use of the server key gets a key of its own. */
function subKey(serverKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', serverKey, '', purpose, 32));
}

function seal(plain: string, place: Place, key: Buffer): string {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  sealing.setAAD(authenticated(place));
  const text = Buffer.concat([sealing.update(plain, 'utf8'), sealing.final()]);
  return version + Buffer.concat([nonce, text, sealing.getAuthTag()]).toString('base64url');
}

function open(sealed: string, place: Place, key: Buffer): string {
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url');
  if (!sealed.startsWith(version) || bytes.length < nonceBytes + tagBytes) {
    throw new Error('This is not a sealed value of a known version.');
  }
  const opening = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  opening.setAAD(authenticated(place));
  opening.setAuthTag(bytes.subarray(-tagBytes));
  try {
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
