/** Rules for values of which the schema of the contract says less. */
import { type Fault, faults } from '../platform/errors/management.ts';

/** What a user may do, the most powerful first. */
export const roles = ['owner', 'admin', 'reviewer', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** Of anything that people read in lists. */
export function nameFaults(name: string): Fault[] {
  return name.trim() !== '' && !/\p{Cc}/u.test(name) ? [] : [faults.fieldRule('name', 'a text in one line')];
}

/**
 * 3GPP TS 23.040, 9.1.2.5: a name has up to 11 characters; else it is a number or a short code. None begins with 0: a number as
 * people write it at home would be another sender than the same one with its country.
 */
const sender = /^(?=.{0,10}[A-Za-z])[A-Za-z0-9][A-Za-z0-9 ._-]{0,10}$|^\+?[1-9]\d{2,14}$/;

export function senderFaults(written: string, field = 'sender'): Fault[] {
  const words =
    'a name of up to 11 letters, digits, spaces, . _ and -, a number with its country, or a short code';
  return sender.test(written) ? [] : [faults.fieldRule(field, words)];
}

/** None where an end is omitted. */
export function periodFaults(from: Date | undefined, to: Date | undefined): Fault[] {
  if (from === undefined || to === undefined || from.getTime() < to.getTime()) return [];
  return [faults.fieldRule('from', 'earlier than to')];
}
