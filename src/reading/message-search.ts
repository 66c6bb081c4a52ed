/** Checks what clients search messages by. */
import type { Clock } from '../clock.ts';
import { errors } from '../errors.ts';
import type { PhoneParser } from '../phone/parse.ts';
import type { MessageFilter } from './message-repository.ts';

export type MessageQuery = Partial<Record<keyof MessageFilter, string>>;

const longestPeriodDays = 366;
const dayMs = 24 * 3_600_000;

/** Rejects with 400 for a number that cannot be parsed, and for a period that is empty or too long. */
export type CheckSearch = (query: MessageQuery) => MessageFilter;

export function createSearchCheck(parsePhone: PhoneParser, clock: Clock): CheckSearch {
  return ({ phone, correlator, state, from, to }) => {
    requirePeriod(from, to, clock.now());
    return {
      phone: phone === undefined ? undefined : requirePhone(phone, parsePhone),
      correlator,
      state,
      from,
      to,
    };
  };
}

function requirePhone(written: string, parsePhone: PhoneParser): string {
  const phone = parsePhone(written);
  if (phone === undefined) throw errors.invalidPhones([written]);
  return phone;
}

function requirePeriod(from: string | undefined, to: string | undefined, nowMs: number): void {
  const end = to === undefined ? nowMs : Date.parse(to);
  const begin = from === undefined ? end - 1 : Date.parse(from);
  // Not a number: a leap second, which the schema allows and a Date does not.
  if (!(begin < end && end - begin <= longestPeriodDays * dayMs))
    throw errors.invalidPeriod(longestPeriodDays);
}
