/** Hides phone numbers and user ids from the roles that may not see them, wherever they stand in a response. */
import type { Operator } from './permissions.ts';

const maskedFor: readonly Operator['role'][] = ['viewer', 'reviewer'];

/**
 * What is shown as it is: ids, words that programs know, and what operators write of their own resources. Any other text may
 * have come from a person, a client or a network.
 */
const shown = new Set([
  'id',
  'messageId',
  'messageNumber',
  'requestId',
  'receiptId',
  'nounId',
  'kid',
  'hash',
  'digest',
  'next',
  'cursor',
  'teamId',
  'clientId',
  'serviceId',
  'templateId',
  'inboundClientId',
  'phoneNumberId',
  'managedServiceKey',
  'accessKey',
  'clientSecret',
  'signingSecret',
  'key',
  'origin',
  'issuer',
  'ssoName',
  'address',
  'url',
  'host',
  'channel',
  'connector',
  'bundleConnector',
  'country',
  'language',
  'kind',
  'noun',
  'action',
  'source',
  'round',
  'name',
  'description',
  'content',
  'approvedContent',
  'text',
  'value',
  'word',
  'reply',
  'sender',
  'footer',
  'promotionalSuffix',
  'mondayToFriday',
  'saturday',
  'sunday',
  'default',
  'defaultValue',
  'filename',
  'allowedAddresses',
  'webOrigins',
  'prefixes',
  'scopes',
  'inboundConnectors',
  'requiredRegistrations',
  'registrations',
  'settings',
]);

/** Whether the role sees phone numbers as they are. */
export function seesNumbers({ role }: Pick<Operator, 'role'>): boolean {
  return !maskedFor.includes(role);
}

/** A response as the caller may see it: `+254 7•• ••• •02` instead of each phone number. */
export function maskedBody<Body>(caller: Pick<Operator, 'role'>, body: Body): Body {
  return seesNumbers(caller) ? body : (maskedIn(body, '') as Body);
}

function maskedIn(value: unknown, name: string): unknown {
  if (shown.has(name)) return value;
  if (typeof value === 'string') return maskedText(name, value);
  if (Array.isArray(value)) return value.map((item) => maskedIn(item, name));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, maskedIn(one, inner)]));
}

/** The origin of a URL names an endpoint: it stays, as in lists of endpoints. */
const originAndRest = /^(https?:\/\/[^/?#@\\]*(?![^/?#\\]))(.*)$/is;

function maskedText(name: string, text: string): string {
  const [, origin = '', rest = text] = (/callbackUrl$/i.test(name) && originAndRest.exec(text)) || [];
  return origin + withMaskedPhones(rest);
}

/**
 * UUIDs and times stay; nine to fifteen other digits, or seven after a plus, may be a number. Between digits may be two
 * separators: `0711 234 567`, `(0711) 234-567`, `0711.234.567`, also percent-encoded.
 */
const keptOrPhone =
  /(?<kept>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?!\d))|(?:\+|%2B)(?:%2[089D]|[\s().\-‐-―]){0,2}\d(?:(?:%2[089D]|[\s().\-‐-―]){0,2}\d){6,14}|\d(?:(?:%2[089D]|[\s().\-‐-―]){0,2}\d){8,14}/gi;

/** Ids by which chat apps know people. */
const userIds = /\b([A-Z]{2}\.(?:ENT\.)?)[A-Za-z0-9]{6,126}([A-Za-z0-9]{2})\b/g;

/** The country and the last two digits are left. */
export function withMaskedPhones(text: string): string {
  return text.replace(userIds, '$1••••$2').replace(keptOrPhone, (found, kept: string | undefined) => {
    if (kept !== undefined) return found;
    const digits = found.replace(/%2B|%2[089]|%2D|\D/gi, '');
    const hidden = digits.slice(0, 4) + '•'.repeat(Math.max(0, digits.length - 6)) + digits.slice(-2);
    return /^[+%]/.test(found) ? `+${(hidden.match(/.{1,3}/g) ?? []).join(' ')}` : hidden;
  });
}
