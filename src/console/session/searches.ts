/** Keeps what a session searched for, encrypted: addresses have a random handle instead of a phone number. */
import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { placeOf, type Secrets } from '../../platform/secrets/secrets.ts';
import { addSearch, findSearch } from './repository.ts';
import { hashOf, type Session } from './sessions.ts';

export interface Searches {
  /** Returns the handle. */
  remember: (session: Session, wanted: string) => Promise<string>;
  /** Undefined: others have taken its place, or SECRET_KEY was replaced meanwhile. */
  recall: (session: Session, handle: string) => Promise<string | undefined>;
}

export function createSearches(knex: Knex, secrets: Pick<Secrets, 'encrypt' | 'decrypt'>): Searches {
  return {
    remember: async ({ id }, wanted) => {
      const handle = randomBytes(9).toString('base64url');
      const idHash = hashOf(id);
      await addSearch(knex, idHash, { handle, sealed: secrets.encrypt(wanted, placeOf.search(idHash)) });
      return handle;
    },
    recall: async ({ id }, handle) => {
      const idHash = hashOf(id);
      const sealed = await findSearch(knex, idHash, handle);
      try {
        return sealed && secrets.decrypt(sealed, placeOf.search(idHash));
      } catch {
        return undefined;
      }
    },
  };
}
