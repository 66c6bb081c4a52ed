/** Signs a receipt by the Standard Webhooks scheme, once per active signing secret. */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

export interface SignedReceipt {
  /** The webhook-id: the same over all attempts. */
  id: string;
  /** Of this attempt, in seconds since 1970. */
  timestampSeconds: number;
  body: string;
  keys: readonly KeyObject[];
}

/** The headers of the POST. */
export function signReceipt({ id, timestampSeconds, body, keys }: SignedReceipt): Record<string, string> {
  const signed = `${id}.${timestampSeconds}.${body}`;
  return {
    'content-type': 'application/json',
    'user-agent': 'tarishi',
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': keys.map((key) => `v1,${macOf(key, signed)}`).join(' '),
  };
}

/** The key of a secret (`whsec_…`); preparing it costs more than a signature. */
export function signingKeyOf(secret: string): KeyObject {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // An empty key signs nothing: anybody could make the same signature.
  if (bytes.length === 0) throw new Error('A signing secret is empty.');
  return createSecretKey(bytes);
}

function macOf(key: KeyObject, signed: string): string {
  return createHmac('sha256', key).update(signed).digest('base64');
}
