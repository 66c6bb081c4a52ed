/** Turns the reading of slices into lists with cursors, which clients cannot read, alter or use elsewhere. */

import { errors } from '../platform/errors.ts';
import { placeOf, type Secrets } from '../platform/secrets/secrets.ts';
import type { Page, PageRequest, Position, ReadSlice } from './page.ts';

/** One page of what a team has. Rejects with 400 when the cursor is not one of this list and these filters. */
export type ReadPage<Filter, Item> = (
  teamId: string,
  filter: Filter,
  request: PageRequest,
) => Promise<Page<Item>>;

/** The document's default, which the contract layer fills in. */
const defaultLimit = 25;

/** Seals places as cursors of one list and its filters, and opens those of clients. */
export interface Cursors {
  /** Rejects with 400 when the cursor is not one of this list and these filters. */
  open: (cursor: string | undefined) => Position | undefined;
  seal: (end: Position) => string;
}

/** `name` tells the cursors of this list from those of others. */
export function createCursors(
  secrets: Pick<Secrets, 'encrypt' | 'decrypt'>,
  name: string,
  teamId: string,
  filter: object,
): Cursors {
  const place = placeOf.cursor(JSON.stringify([name, teamId, Object.entries(filter).sort()]));
  return {
    open: (cursor) => {
      if (cursor === undefined) return undefined;
      try {
        return JSON.parse(secrets.decrypt(cursor, place));
      } catch {
        throw errors.invalidCursor();
      }
    },
    seal: (end) => secrets.encrypt(JSON.stringify(end), place),
  };
}

/** `name`: as of its cursors. */
export function createList<Filter extends object, Item>(
  secrets: Pick<Secrets, 'encrypt' | 'decrypt'>,
  name: string,
  read: ReadSlice<Filter, Item>,
): ReadPage<Filter, Item> {
  return async (teamId, filter, { limit = defaultLimit, cursor }) => {
    const cursors = createCursors(secrets, name, teamId, filter);
    const { items, end } = await read(teamId, filter, cursors.open(cursor), limit);
    return end === undefined ? { items } : { items, next: cursors.seal(end) };
  };
}
