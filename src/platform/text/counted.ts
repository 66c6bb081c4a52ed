/** Numbers of things in sentences. */

/** Such as `1 unit` or `1,200 units`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** A count that stopped at `most`: `1,000+`. */
export const upTo = (count: number, most: number): string =>
  count >= most ? `${most.toLocaleString('en')}+` : count.toLocaleString('en');

/** The same in a sentence: `1,000 or more receipts`. */
export const countedUpTo = (count: number, most: number, one: string): string =>
  count >= most ? `${most.toLocaleString('en')} or more ${one}s` : counted(count, one);
