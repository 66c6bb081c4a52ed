/** Checks what clients search messages by. */
import type { Clock } from '../clock.ts';
import { errors } from '../errors.ts';
import type { PhoneParser } from '../phone/parse.ts';
import type { MessageFilter } from './message-repository.ts';
import { requirePeriod } from './period.ts';

export type MessageQuery = Partial<Record<Exclude<keyof MessageFilter, 'phoneHash'>, string>>;

/** Rejects with 400 for a number that cannot be parsed, and for a period that is empty or too long. */
export type CheckSearch = (query: MessageQuery) => MessageFilter;

export function createSearchCheck(
  parsePhone: PhoneParser,
  hashPhone: (phone: string) => string,
  clock: Clock,
): CheckSearch {
  return ({ phone, correlator, state, from, to }) => {
    requirePeriod(from, to, clock.now());
    const parsed = phone === undefined ? undefined : requirePhone(phone, parsePhone);
    return {
      phone: parsed,
      phoneHash: parsed && hashPhone(parsed),
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
