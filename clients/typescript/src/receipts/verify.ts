/** Verifies receipts by the Standard Webhooks scheme: signed with your secret, and posted within the last minutes. */
import { parsed, TarishiReceiptError } from '../errors.ts';
import type { components } from '../openapi.d.ts';

/** What became of a message; `type` tells them apart. */
export type DeliveryReceipt = components['schemas'][
  | 'SmsDeliveryReceipt'
  | 'DataDeliveryReceipt'
  | 'ChatAppDeliveryReceipt'];

/** A message that a person sent to you. */
export type InboundMessage = components['schemas']['InboundMessage'];

/** What the service posts to a callback URL; `type` tells them apart. */
export type Posted = DeliveryReceipt | InboundMessage;

/** The headers of a request, as a Headers object or as Node has them. */
export type ReceiptHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the timestamp may be from the present; 300 by default. */
  toleranceSeconds?: number | undefined;
}

const encoder = new TextEncoder();

/**
 * The receipt in a request to your callbackUrl. `body` must be the bytes that were received, not parsed and written
 * again. Pass two secrets while one replaces the other. Rejects with a TarishiReceiptError if the request is not a
 * receipt of yours.
 */
export async function verifyReceipt(
  body: string | Uint8Array,
  headers: ReceiptHeaders,
  signingSecret: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<Posted> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw fault('missing-headers', 'The request has no webhook-id, webhook-timestamp or webhook-signature');
  const secondsOff = /^\d{1,12}$/.test(timestamp)
    ? Math.abs(Date.now() / 1000 - Number(timestamp))
    : Infinity;
  if (secondsOff > toleranceSeconds)
    throw fault('timestamp-out-of-range', `The timestamp is not within ${toleranceSeconds} seconds of now`);

  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), bytes);
  const candidates = signatures.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  if (!(await isSigned(signed, candidates, [signingSecret].flat())))
    throw fault('wrong-signature', 'No signature was made with your signing secret');
  const receipt = parsed(new TextDecoder().decode(bytes));
  if (receipt === undefined) throw fault('malformed-body', 'The body is not a JSON object');
  return receipt as Posted;
}

/** The value of a header, if it has exactly one. */
export function headerOf(headers: ReceiptHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly string[],
  secrets: readonly string[],
): Promise<boolean> {
  for (const secret of secrets) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['verify']);
    for (const signature of signatures) {
      const bytes = decoded(signature);
      if (bytes !== undefined && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true;
    }
  }
  return false;
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const key = decoded(secret.replace(/^whsec_/, ''));
  // A mistake in the settings, which must not look like a forged receipt.
  if (key === undefined || key.length === 0)
    throw new TypeError('The signing secret is not whsec_ and Base64');
  return key;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function fault(code: string, desc: string): TarishiReceiptError {
  return new TarishiReceiptError({ code, desc });
}
