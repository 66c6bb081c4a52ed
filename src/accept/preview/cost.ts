/** Adds up what a plan costs each account, and compares it with the balances. */

import { type AccountName, accountName } from '../../model/account.ts';
import type { PlannedMessage, Product } from '../../model/plan.ts';
import { errors } from '../../platform/errors.ts';
import type { Problem } from './judge.ts';

/** Units by account: the product and the variant, separated by a space. */
export type Balances = Pick<ReadonlyMap<string, number>, 'get'>;

export interface AccountCost extends AccountName {
  /** What the request costs. */
  units: number;
  /** What the account holds now. */
  balance: number;
  /** What is left after the request; absent if the balance does not cover it. */
  remaining?: number;
}

/** Names the account that pays for a message; see `accountName`. */
export type VariantOf = (message: PlannedMessage) => string;

/** One for each account that pays, in the order of the request. */
export function costOf(
  messages: readonly PlannedMessage[],
  variantOf: VariantOf,
  balances: Balances,
): AccountCost[] {
  const units = new Map<string, { product: Product; variant: string; units: number }>();
  for (const message of messages) {
    if (message.accountId === null) continue;
    const { product } = message;
    const variant = variantOf(message);
    const key = accountKey(product, variant);
    const own = units.get(key) ?? { product, variant, units: 0 };
    units.set(key, { ...own, units: own.units + message.units });
  }
  return [...units].map(([key, { product, variant, units: cost }]) => {
    const balance = balances.get(key) ?? 0;
    const left = balance - cost;
    return {
      ...accountName(product, variant),
      units: cost,
      balance,
      ...(left < 0 ? {} : { remaining: left }),
    };
  });
}

/** The error of the send for accounts that do not hold enough. */
export function shortages(accounts: AccountCost[]): Problem[] {
  return accounts
    .filter(({ remaining }) => remaining === undefined)
    .map(({ units }) => errors.insufficientUnits(units))
    .map(({ slug = '', desc }) => ({ code: slug, desc }));
}

export function accountKey(product: Product, variant: string): string {
  return `${product} ${variant}`;
}
