/** Verifies receipts: signed by the service, for this client, within the last minutes. */
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { components } from './openapi.d.ts';

export { WebhookVerificationError };

/** What the service posts to a callbackUrl; `type` tells which. */
export type Receipt = components['schemas'][
  | 'SmsDeliveryReceipt'
  | 'DataDeliveryReceipt'
  | 'ChatAppDeliveryReceipt'];

/**
 * The receipt of a callback. `body` must be the bytes as they came, not parsed and written again. `signingSecret`
 * (`whsec_…`) is the client's; give both while a secret is being changed. Throws WebhookVerificationError when no
 * secret fits or the callback is more than five minutes old (Standard Webhooks).
 */
export function verifyReceipt(
  body: string | Uint8Array,
  headers: Headers | Record<string, string | string[] | undefined>,
  signingSecret: string | readonly string[],
): Receipt {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headerOf(headers, name)]),
  );
  let fault: unknown = new WebhookVerificationError('no signing secret is given');
  for (const secret of typeof signingSecret === 'string' ? [signingSecret] : signingSecret)
    try {
      return new Webhook(secret).verify(text, signed) as Receipt;
    } catch (error) {
      fault = error;
    }
  throw fault;
}

function headerOf(headers: Headers | Record<string, string | string[] | undefined>, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : '';
}
