/** Decides whether a call is the provider's: by a secret in its path, or by a signature. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { own } from '../../platform/text/own.ts';
import type { InboundCall, InboundRequest } from '../contract/inbound.ts';
import { formOrJson } from '../http/json.ts';
import { sameText } from '../http/signature.ts';
import type { HttpSmsSettings } from './settings.ts';

type Secrets = Readonly<Record<string, string>>;

const twilioHeader = 'x-twilio-signature';
const webhookHeaders = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
/** By how much the time of a signed call may differ from ours. */
const toleranceSeconds = 300;

interface ReceivedCall {
  call: InboundRequest;
  secret: string;
  settings: HttpSmsSettings;
  nowMs: number;
}

interface Scheme {
  /** Headers that a call must have. */
  headers: (settings: HttpSmsSettings) => readonly string[];
  /** Which secret it rests on. */
  secret: 'apiKey' | 'callbackSecret';
  isOwn: (received: ReceivedCall) => boolean;
}

const schemes: Readonly<Record<HttpSmsSettings['proof'], Scheme>> = {
  // `admits` has looked at it.
  path: { headers: () => [], secret: 'callbackSecret', isOwn: () => true },
  hmac: {
    headers: ({ signatureHeader }) => [signatureHeader.toLowerCase()],
    secret: 'callbackSecret',
    isOwn: isHmac,
  },
  twilio: { headers: () => [twilioHeader], secret: 'apiKey', isOwn: isTwilios },
  vonage: { headers: () => [], secret: 'callbackSecret', isOwn: isVonages },
  standardWebhooks: { headers: () => webhookHeaders, secret: 'callbackSecret', isOwn: isStandardWebhook },
};

export function signatureHeaders(settings: HttpSmsSettings): readonly string[] {
  return schemes[settings.proof].headers(settings);
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
  const scheme = schemes[settings.proof];
  const secret = secrets[scheme.secret];
  return (
    admits(call, settings, secrets) && secret !== undefined && scheme.isOwn({ call, secret, settings, nowMs })
  );
}

const same = (given: Buffer, expected: Buffer) =>
  given.length === expected.length && timingSafeEqual(given, expected);

function headerOf({ headers }: InboundCall, name: string): string {
  const value = own(headers, name);
  return typeof value === 'string' ? value : '';
}

/** HMAC-SHA256 of the body, in hex or base64, perhaps behind `sha256=`. */
function isHmac({ call, secret, settings: { signatureHeader } }: ReceivedCall): boolean {
  const text = headerOf(call, signatureHeader.toLowerCase()).replace(/^sha256=/i, '');
  const given = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
  return same(given, createHmac('sha256', secret).update(call.body).digest());
}

/** Base64 HMAC-SHA1 of the address that Twilio called, with each name and value of the form behind it, sorted by name. */
function isTwilios({ call, secret, settings: { callbackUrl = '' } }: ReceivedCall): boolean {
  const { body, query = '' } = call;
  const form = new URLSearchParams(body.toString('utf8'));
  const given = Buffer.from(headerOf(call, twilioHeader), 'base64');
  return withAndWithoutPort(callbackUrl).some((url) => {
    const called = query === '' ? url : `${url}?${query}`;
    return same(given, Buffer.from(twilioSignature(called, form, secret), 'base64'));
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

/** Its parameter `sig` signs all others. The time in it is not looked at: a call that is repeated changes nothing. */
function isVonages({
  call: { body, query = '' },
  secret,
  settings: { signatureAlgorithm },
}: ReceivedCall): boolean {
  const document = formOrJson(body.toString('utf8'));
  const said = document !== null && typeof document === 'object' ? Object.entries(document) : [];
  const all = [...new URLSearchParams(query), ...said];
  const values = new Map(all.map(([name, value]) => [name, String(value)]));
  const signature = values.get('sig') ?? '';
  values.delete('sig');
  // What could be signed as something else: a name that is there twice or reads as a name and a value, and what is in a list.
  const isPlain = ([name, value]: [string, unknown]) => !/[&=]/.test(name) && typeof value !== 'object';
  if (values.size + 1 !== all.length || !all.every(isPlain)) return false;
  return same(
    Buffer.from(signature, 'hex'),
    Buffer.from(vonageSignature(values, secret, signatureAlgorithm), 'hex'),
  );
}

/** In hex: names and values in the order of the names, `&` and `=` in a value as `_`. */
export function vonageSignature(
  values: Iterable<readonly [name: string, value: string]>,
  secret: string,
  algorithm: HttpSmsSettings['signatureAlgorithm'],
): string {
  const signed = [...new Map(values)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `&${name}=${value.replace(/[&=]/g, '_')}`)
    .join('');
  const hash = algorithm === 'md5hash' ? createHash('md5') : createHmac(algorithm, secret);
  return hash.update(algorithm === 'md5hash' ? signed + secret : signed).digest('hex');
}

/** `v1,` and the base64 HMAC-SHA256 of id, time and body with full stops between them; one of several counts. */
function isStandardWebhook({ call, secret, nowMs }: ReceivedCall): boolean {
  const [id = '', timestamp = '', signatures = ''] = webhookHeaders.map((name) => headerOf(call, name));
  if (id === '' || timestamp === '') return false;
  if (!(Math.abs(nowMs / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (key.length === 0) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(call.body).digest();
  return signatures
    .split(' ')
    .some((one) => one.startsWith('v1,') && same(Buffer.from(one.slice(3), 'base64'), expected));
}
