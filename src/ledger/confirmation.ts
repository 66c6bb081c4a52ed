/** What a seal of a ledger confirms with the secret key: who can only write to the database cannot make one. */
import type { Head } from './chain.ts';
import type { AccountKey } from './repository.ts';

type Confirmed = readonly (string | number)[];

/** Makes and checks keyed confirmations of lists. */
export interface LedgerKey {
  confirm: (list: Confirmed) => string;
  /** Undefined: it was made with a key that is not at hand. */
  confirms: (list: Confirmed, confirmation: string) => boolean | undefined;
}

/** That the account had come to this with its seal of this number. */
export function confirmedSeal(seal: AccountKey & Head & { number: number }): Confirmed {
  const { teamId, product, variant, number, entries, balance, hash } = seal;
  return ['tarishi-seal-1', teamId, product, variant, number, entries, balance, hash];
}

export interface SealCount {
  /** Of all accounts together. */
  seals: number;
  /** Those whose entries have left for the archive. */
  archived: number;
}

/** That there are so many seals. */
export function confirmedCount({ seals, archived }: SealCount): Confirmed {
  return ['tarishi-seal-count-1', seals, archived];
}
