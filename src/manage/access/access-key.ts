/** Access keys of users: the user's id, a point and a secret. The database keeps a keyed hash of the secret. */
import { generateClientSecret, type Secrets } from '../../platform/secrets/secrets.ts';

export function generateAccessKey(userId: string, secrets: Secrets): { accessKey: string; hash: string } {
  const secret = generateClientSecret();
  return { accessKey: `${userId}.${secret}`, hash: secrets.hash(secret) };
}

/** Undefined for what cannot be a key. */
export function parseAccessKey(key: string): { userId: string; secret: string } | undefined {
  const [, userId, secret] = /^([A-Za-z0-9_-]{1,64})\.([\w-]{1,255})$/.exec(key) ?? [];
  return userId === undefined || secret === undefined ? undefined : { userId, secret };
}
