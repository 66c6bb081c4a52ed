/** The keys that derive from a SECRET_KEY, each for one use, and the order in which such keys replaced each other. */
import { createHmac, hkdfSync } from 'node:crypto';

/** What is needed of a key for as long as the database exists, also when another one has replaced it. */
export interface LastingKeys {
  hash: Buffer;
  phone: Buffer;
  cursor: Buffer;
}

/** What is needed only until everything made with it has been made again with the next one. */
export interface PassingKeys {
  seal: Buffer;
  ledger: Buffer;
}

export interface SecretKey extends LastingKeys {
  /** Eight hexadecimal digits. Not secret: values name with it the key that made them. */
  id: string;
  /** Undefined: this process has not been given the key. */
  passing: PassingKeys | undefined;
}

export interface SecretKeyRing {
  /** The oldest first. */
  keys: readonly [SecretKey, ...SecretKey[]];
  /** The id of the one that makes new values; those behind it are about to follow it. */
  active: string;
}

const serverKeyBytes = 32;

/** `serverKey`: 32 bytes. Throws for any other size. */
export function secretKeyOf(serverKey: Uint8Array): SecretKey {
  if (serverKey.length !== serverKeyBytes)
    throw new Error(`The server key must have ${serverKeyBytes} bytes.`);
  // HKDF (RFC 5869): what one use gives away tells nothing about the others.
  const subKey = (use: string) => Buffer.from(hkdfSync('sha256', serverKey, '', `tarishi ${use} v1`, 32));
  return {
    id: subKey('id').subarray(0, 4).toString('hex'),
    hash: subKey('hash'),
    phone: subKey('phone'),
    cursor: subKey('cursor'),
    passing: { seal: subKey('seal'), ledger: subKey('ledger') },
  };
}

/** The lasting keys as text, to be sealed with another key. */
export function lastingText({ hash, phone, cursor }: LastingKeys): string {
  return JSON.stringify([hash, phone, cursor].map((key) => key.toString('base64')));
}

export function lastingFrom(text: string): LastingKeys {
  const [hash, phone, cursor] = (JSON.parse(text) as string[]).map((key) => Buffer.from(key, 'base64'));
  if (hash === undefined || phone === undefined || cursor === undefined)
    throw new Error('These are not the keys of a replaced SECRET_KEY.');
  return { hash, phone, cursor };
}

export const hmac = (key: Buffer, value: string | Buffer): Buffer =>
  createHmac('sha256', key).update(value).digest();
