/** The names under which clients read of products and accounts. */
import type { Product } from '../intake/plan.ts';

/** A product as the contract names it. */
export type ProductName = 'Sms' | 'MobileData' | 'ChatApp';

export const nameOfProduct = {
  sms: 'Sms',
  data: 'MobileData',
  chatapp: 'ChatApp',
} as const satisfies Record<Product, ProductName>;

/** What an account pays for. */
export interface AccountName {
  product: ProductName;
  /** With `denomination`, of mobile data. */
  channel?: string;
  denomination?: string;
  /** Of chat-app templates. */
  category?: string;
}

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
  return { product: nameOfProduct[product], ...partsOf[product](variant) };
}
