/** Checks what clients search messages by. */

import { type ProductName, productOfName } from '../../model/products.ts';
import type { Clock } from '../../platform/clock.ts';
import { errors } from '../../platform/errors.ts';
import type { PhoneParser } from '../../products/phone/parse.ts';
import { requirePeriod } from '../period.ts';
import type { MessageFilter } from './message-repository.ts';

export type MessageQuery = Partial<Record<Exclude<keyof MessageFilter, 'phoneHash' | 'product'>, string>> & {
  product?: ProductName;
};

/** Rejects with 400 for a number that cannot be parsed, and for a period that is empty or too long. */
export type CheckSearch = (query: MessageQuery) => MessageFilter;

export function createSearchCheck(
  parsePhone: PhoneParser,
  hashPhone: (phone: string) => string,
  clock: Clock,
): CheckSearch {
  return ({ requestId, product, phone, correlator, state, from, to }) => {
    requirePeriod(from, to, clock.now());
    const parsed = phone === undefined ? undefined : requirePhone(phone, parsePhone);
    return {
      requestId,
      product: product && productOfName[product],
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
