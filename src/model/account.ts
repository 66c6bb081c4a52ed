/** The names that both contracts have for accounts. */
import type { Product } from './plan.ts';
import { type ProductName, products } from './products.ts';

/** What an account pays for. */
export interface AccountName {
  product: ProductName;
  /** With `denomination`, of mobile data. */
  channel?: string;
  denomination?: string;
  /** Of chat-app templates. */
  category?: string;
}

/** As somebody gave it. */
export type GivenAccount = { [Part in keyof AccountName]?: AccountName[Part] | undefined } & {
  product: ProductName;
};

const partsOf: { [P in Product]: (variant: string) => Omit<AccountName, 'product'> } = {
  sms: () => ({}),
  data: (variant) => {
    const end = variant.lastIndexOf('/');
    return { channel: variant.slice(0, end), denomination: variant.slice(end + 1) };
  },
  chatapp: (category) => ({ category }),
};

/** `variant`: '' for SMS, `<channel>/<denomination>` for mobile data, the template category for chat-app. */
export function accountName(product: Product, variant: string): AccountName {
  return { product: products[product].name, ...partsOf[product](variant) };
}

/** What identifies an account, in the order in which sentences and hashes have it. */
export function wordsOf({ product, channel, denomination, category }: GivenAccount): string[] {
  return [product, channel, denomination, category].filter((word) => word !== undefined);
}
