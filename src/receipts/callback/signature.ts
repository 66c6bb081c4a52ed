/** Signs a receipt by the Standard Webhooks scheme, once per active signing secret. */
import { createHmac } from 'node:crypto';

export interface SignedReceipt {
  /** The webhook-id: the same over all attempts. */
  id: string;
  /** Of this attempt, in seconds since 1970. */
  timestampSeconds: number;
  body: string;
  /** `whsec_…` */
  secrets: readonly string[];
}

/** The headers of the POST. */
export function signReceipt({ id, timestampSeconds, body, secrets }: SignedReceipt): Record<string, string> {
  const signed = `${id}.${timestampSeconds}.${body}`;
  return {
    'content-type': 'application/json',
    'user-agent': 'tarishi',
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${macOf(secret, signed)}`).join(' '),
  };
}

function macOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  // An empty key signs nothing: anybody could make the same signature.
  if (key.length === 0) throw new Error('A signing secret is empty.');
  return createHmac('sha256', key).update(signed).digest('base64');
}
