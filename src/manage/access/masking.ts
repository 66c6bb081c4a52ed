/** Hides phone numbers from the roles that may not see them, wherever they stand in a response. */
import type { Operator } from './permissions.ts';

const maskedFor: readonly Operator['role'][] = ['viewer', 'reviewer'];

/** What may have a phone number in it. Ids, times and what operators write of their own resources do not. */
const properties = new Set([
  'phone',
  'from',
  'correlator',
  'reason',
  'callbackUrl',
  'body',
  'response',
  'error',
  'lastError',
  'pausedReason',
  'item',
]);

/** A response as the caller may see it: `+254 7•• ••• •02` instead of each phone number. */
export function maskedBody<Body>({ role }: Pick<Operator, 'role'>, body: Body): Body {
  return maskedFor.includes(role) ? (maskedIn(body) as Body) : body;
}

function maskedIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskedIn);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' && properties.has(name) ? maskedText(name, inner) : maskedIn(inner),
    ]),
  );
}

/** The origin of a URL names an endpoint: it stays, as in lists of endpoints. */
const originAndRest = /^(https?:\/\/[^/?#@\\]*(?![^/?#\\]))(.*)$/is;

function maskedText(name: string, text: string): string {
  const [, origin = '', rest = text] = (name === 'callbackUrl' && originAndRest.exec(text)) || [];
  return origin + withMaskedPhones(rest);
}

/** UUIDs stay; any other nine digits in a row, or seven after a plus, may be a number. */
const uuidOrPhone = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?:\+|%2B)[\d -]{7,30}|\d{9,15}/gi;

/** The country and the last two digits are left. */
export function withMaskedPhones(text: string): string {
  return text.replace(uuidOrPhone, (found) => {
    const hasPlus = /^[+%]/.test(found);
    const digits = found.replace(/^%2B|\D/gi, '');
    if (found.includes('-') && !hasPlus) return found;
    if (digits.length < 7) return found;
    const hidden = digits.slice(0, 4) + '•'.repeat(Math.max(0, digits.length - 6)) + digits.slice(-2);
    if (!hasPlus) return hidden;
    const behind = found.slice([...found].findLastIndex((one) => one >= '0' && one <= '9') + 1);
    return `+${(hidden.match(/.{1,3}/g) ?? []).join(' ')}${behind}`;
  });
}
