/** Rules for single values that operators enter, each with the words that errors use. */

import { type Fault, faults } from '../errors/management.ts';
import type { TemplateStatus } from '../templates/template.ts';

export interface TextRule {
  rule: RegExp;
  /** Goes on behind `must be`. */
  words: string;
}

export const rules = {
  id: { rule: /^[A-Za-z0-9_-]{1,64}$/, words: '1 to 64 letters, digits, - and _' },
  name: { rule: /^(?=.*\S)[^\p{Cc}]{1,255}$/u, words: 'a text of 1 to 255 characters in one line' },
  connectorName: { rule: /^[a-z0-9][a-z0-9-]{0,31}$/, words: 'up to 32 lowercase letters, digits and -' },
  /** 3GPP TS 23.040, 9.1.2.5: a name has up to 11 characters; else it is a number or a short code. */
  sender: {
    rule: /^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 ._-]{0,10}$|^\+?\d{3,15}$/,
    words: 'a name of up to 11 letters, digits, spaces, . _ and -, or a number',
  },
  phone: {
    rule: /^\+[1-9]\d{6,14}$/,
    words: 'a phone number in E.164 format, such as +254711000000',
  },
  prefix: {
    rule: /^\+?[1-9]\d{0,14}$/,
    words: 'the first digits of international phone numbers, such as 25470',
  },
  denomination: { rule: /^[1-9]\d*[MG]B$/, words: 'a size such as 50MB or 1GB' },
  language: { rule: /^[a-z]{2,3}(_[A-Za-z]{2,4})?$/, words: 'a language such as en, en_US or sw' },
  networkTemplateName: {
    rule: /^[a-z0-9_]{1,512}$/,
    words: 'a name of lowercase letters, digits and _',
  },
  comment: { rule: /^[^\0]{1,1000}$/su, words: 'a text of 1 to 1000 characters' },
  reference: { rule: /^[\x21-\x7e]{1,255}$/, words: '1 to 255 printable ASCII characters without spaces' },
} as const satisfies Record<string, TextRule>;

export const templateStatuses: readonly TemplateStatus[] = ['Active', 'Archived'];
/** What a user may do, the most powerful first. */
export const roles = ['owner', 'admin', 'reviewer', 'viewer'] as const;
export type Role = (typeof roles)[number];

export const serviceStatuses = ['Active', 'Inactive'] as const;

export const ranges = {
  ratePerSecond: { min: 1, max: 1_000_000 },
  days: { min: 1, max: 3_650 },
  validitySeconds: { min: 1, max: 14 * 24 * 3600 },
  units: { min: 1, max: 1_000_000_000 },
} as const;

/** None for a value that is omitted. */
export function textFaults(
  field: string,
  value: string | null | undefined,
  { rule, words }: TextRule,
): Fault[] {
  return value === undefined || value === null || rule.test(value) ? [] : [faults.fieldRule(field, words)];
}

/** None for a value that is omitted. */
export function rangeFaults(
  field: string,
  value: number | null | undefined,
  { min, max }: { min: number; max: number },
): Fault[] {
  const fits =
    value === undefined || value === null || (Number.isInteger(value) && value >= min && value <= max);
  return fits ? [] : [faults.fieldRule(field, `a whole number from ${min} to ${max}`)];
}

/** None for a value that is omitted. */
export function choiceFaults(field: string, value: string | undefined, choices: readonly string[]): Fault[] {
  return value === undefined || choices.includes(value)
    ? []
    : [faults.fieldRule(field, `one of ${choices.join(', ')}`)];
}

/** None where an end is omitted. */
export function periodFaults(from: Date | undefined, to: Date | undefined): Fault[] {
  if (from === undefined || to === undefined || from.getTime() < to.getTime()) return [];
  return [faults.fieldRule('from', 'earlier than to')];
}
