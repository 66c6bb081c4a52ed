/** What the pages of accounts call an account, and how their addresses name it. */
import { wordOf } from '../layout/values.ts';

const parts = ['product', 'channel', 'denomination', 'category'] as const;

export interface WrittenAccount {
  product: string;
  channel?: string | undefined;
  denomination?: string | undefined;
  category?: string | undefined;
}

/** What stands above the pages of a team's accounts. */
export const accountTrail = (teamId: string): [path: string, name: string][] => [
  ['/teams', 'Teams'],
  [`/teams/${teamId}`, teamId],
  [`/teams/${teamId}/accounts`, 'Accounts'],
];

/** Such as `Mobile data, Safaricom, 50MB`. */
export function accountName({ product, channel, denomination, category }: WrittenAccount): string {
  const words = [wordOf(product), channel, denomination, category && wordOf(category)];
  return words.filter((word) => word !== undefined).join(', ');
}

export function queryOf(account: WrittenAccount): string {
  const given = parts.flatMap((part): [string, string][] => {
    const value = account[part];
    return value === undefined ? [] : [[part, value]];
  });
  return new URLSearchParams(given).toString();
}

/** The account of a query; undefined where it names none. */
export function accountIn(query: URLSearchParams): WrittenAccount | undefined {
  const [product, channel, denomination, category] = parts.map((part) => query.get(part) || undefined);
  return product === undefined ? undefined : { product, channel, denomination, category };
}
