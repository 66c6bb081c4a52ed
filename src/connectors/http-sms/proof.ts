/** Decides whether a call is the provider's: by a secret in its path, or by a signature. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { own } from '../../platform/text/own.ts';
import type { InboundCall, InboundRequest } from '../contract/inbound.ts';
import { sameText } from '../http/signature.ts';
import type { HttpSmsSettings } from './settings.ts';

type Secrets = Readonly<Record<string, string>>;

const twilioHeader = 'x-twilio-signature';
const webhookHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
/** By how much the time of a signed call may differ from ours. */
const toleranceSeconds = 300;

export function signatureHeaders({ proof, signatureHeader }: HttpSmsSettings): readonly string[] {
  switch (proof) {
    case 'path':
      return [];
    case 'hmac':
      return [signatureHeader.toLowerCase()];
    case 'twilio':
      return [twilioHeader];
    case 'standardWebhooks':
      return webhookHeaders;
  }
}

/** Only the secret of the path may be there, and only where it is the proof. */
export function admits({ key }: InboundCall, { proof }: HttpSmsSettings, secrets: Secrets): boolean {
  const { callbackSecret } = secrets;
  if (proof !== 'path') return key === undefined;
  return callbackSecret !== undefined && key !== undefined && sameText(key, callbackSecret);
}

export function isProvidersOwn(
  call: InboundRequest,
  settings: HttpSmsSettings,
  secrets: Secrets,
  nowMs: number,
): boolean {
  if (!admits(call, settings, secrets)) return false;
  const { headers, body } = call;
  const { apiKey, callbackSecret } = secrets;
  const [signature] = signatureHeaders(settings)
    .slice(-1)
    .map((name) => own(headers, name));
  if (settings.proof === 'path') return true;
  if (typeof signature !== 'string') return false;
  if (settings.proof === 'twilio')
    return apiKey !== undefined && isTwilios(signature, call, settings.callbackUrl ?? '', apiKey);
  if (callbackSecret === undefined) return false;
  if (settings.proof === 'hmac') return isHmac(signature, callbackSecret, body);
  return isStandardWebhook(signature, call, callbackSecret, nowMs);
}

const same = (given: Buffer, expected: Buffer) =>
  given.length === expected.length && timingSafeEqual(given, expected);

/** HMAC-SHA256 of the body, in hex or base64, perhaps behind `sha256=`. */
function isHmac(signature: string, secret: string, body: Buffer): boolean {
  const text = signature.replace(/^sha256=/i, '');
  const given = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
  return same(given, createHmac('sha256', secret).update(body).digest());
}

/** Base64 HMAC-SHA1 of the address that Twilio called, with each name and value of the form behind it, sorted by name. */
function isTwilios(
  signature: string,
  { body, query = '' }: InboundRequest,
  callbackUrl: string,
  token: string,
): boolean {
  const form = new URLSearchParams(body.toString('utf8'));
  const given = Buffer.from(signature, 'base64');
  return withAndWithoutPort(callbackUrl).some((url) => {
    const called = query === '' ? url : `${url}?${query}`;
    return same(given, Buffer.from(twilioSignature(called, form, token), 'base64'));
  });
}

/** In base64: the address with its query, then the names and values of the form in the order of their names. */
export function twilioSignature(url: string, form: URLSearchParams, token: string): string {
  const values = [...new Set(form.keys())]
    .sort()
    .flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value))
    .join('');
  return createHmac('sha1', token)
    .update(url + values)
    .digest('base64');
}

/** Twilio signs the standard port or leaves it out. */
function withAndWithoutPort(url: string): string[] {
  const start = url.indexOf('://') + '://'.length;
  const length = url.slice(start).search(/[/?#]/);
  const end = length === -1 ? url.length : start + length;
  const port = /:\d+$/.exec(url.slice(start, end))?.[0] ?? '';
  const [host, rest] = [url.slice(0, end - port.length), url.slice(end)];
  const standard = url.toLowerCase().startsWith('https:') ? ':443' : ':80';
  return [...new Set([url, host + rest, `${host}${port === '' ? standard : port}${rest}`])];
}

/** `v1,` and the base64 HMAC-SHA256 of id, time and body with full stops between them; one of several counts. */
function isStandardWebhook(
  signatures: string,
  { headers, body }: InboundRequest,
  secret: string,
  nowMs: number,
): boolean {
  const [id, timestamp] = webhookHeaders.map((name) => own(headers, name));
  if (typeof id !== 'string' || typeof timestamp !== 'string') return false;
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures
    .split(' ')
    .some((one) => one.startsWith('v1,') && same(Buffer.from(one.slice(3), 'base64'), expected));
}
