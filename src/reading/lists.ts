/** Turns the reading of slices into lists with cursors, which clients cannot read, alter or use elsewhere. */
import { placeOf, type Secrets } from '../clients/secrets.ts';
import { errors } from '../errors.ts';
import type { Page, PageRequest, Position, ReadSlice } from './page.ts';

/** One page of what a team has. Rejects with 400 when the cursor is not one of this list and these filters. */
export type ReadPage<Filter, Item> = (
  teamId: string,
  filter: Filter,
  request: PageRequest,
) => Promise<Page<Item>>;

/** The document's default, which the contract layer fills in. */
const defaultLimit = 25;

/** `name` tells the cursors of this list from those of others. */
export function createList<Filter extends object, Item>(
  secrets: Pick<Secrets, 'encrypt' | 'decrypt'>,
  name: string,
  read: ReadSlice<Filter, Item>,
): ReadPage<Filter, Item> {
  return async (teamId, filter, { limit = defaultLimit, cursor }) => {
    const place = placeOf.cursor(JSON.stringify([name, teamId, Object.entries(filter).sort()]));
    const open = (sealed: string): Position => {
      try {
        return JSON.parse(secrets.decrypt(sealed, place));
      } catch {
        throw errors.invalidCursor();
      }
    };
    const after = cursor === undefined ? undefined : open(cursor);
    const { items, end } = await read(teamId, filter, after, limit);
    return end === undefined ? { items } : { items, next: secrets.encrypt(JSON.stringify(end), place) };
  };
}
