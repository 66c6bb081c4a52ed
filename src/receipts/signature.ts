/** Signs a receipt by the Standard Webhooks scheme, once per active signing secret. */
import { Webhook } from 'standardwebhooks';

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
  const timestamp = new Date(timestampSeconds * 1000);
  return {
    'content-type': 'application/json',
    'user-agent': 'tarishi',
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, timestamp, body)).join(' '),
  };
}
