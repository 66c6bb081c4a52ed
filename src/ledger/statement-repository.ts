/** Reads the entries of a statement, with what the account came to after each. */
import type { Knex } from 'knex';
import { type Head, headAfter } from './chain.ts';
import { confirmedSeal, type LedgerKey } from './confirmation.ts';
import { beginningOf, entriesPerRead, type Place, placeBefore, readEntries } from './entry-repository.ts';
import type { Account, AccountKey } from './repository.ts';
import { type StatementEntry, statementEntry } from './statement.ts';

/** Where the statement begins: before the first entry that was made at this time or later, and is not archived. */
export async function openingPlace(knex: Knex, account: Account, from: Date | undefined): Promise<Place> {
  const sealed = from && (await placeBefore(knex, account.id, from));
  const beginning = await beginningOf(knex, account);
  let place = sealed !== undefined && sealed.entries > beginning.entries ? sealed : beginning;
  if (from === undefined) return place;
  const instant = microseconds(from);
  for (;;) {
    const entries = await readEntries(knex, account.id, place.lastEntryId);
    for (const entry of entries) {
      if (entry.at >= instant) return place;
      place = { ...headAfter(place, entry), lastEntryId: entry.id };
    }
    if (entries.length < entriesPerRead) return place;
  }
}

/** The entries behind a place, read in parts: up to, and without, the first one that was made at `to` or later. */
export async function* entriesAfter(
  knex: Knex,
  account: Account,
  { lastEntryId, ...opening }: Place,
  to: Date | undefined,
): AsyncGenerator<StatementEntry> {
  const instant = to && microseconds(to);
  let [head, after] = [opening, lastEntryId];
  for (;;) {
    const entries = await readEntries(knex, account.id, after);
    for (const stored of entries) {
      if (instant !== undefined && stored.at >= instant) return;
      const { head: next, entry } = statementEntry(head, stored);
      yield entry;
      [head, after] = [next, stored.id];
    }
    if (entries.length < entriesPerRead) return;
  }
}

/**
 * Looks up what the service has sealed of an account between two numbers of entries, the first not included. `forged`: the
 * first seal there that was not made with the key.
 */
export async function sealsBetween(
  knex: Knex,
  key: LedgerKey,
  { id, ...account }: AccountKey & { id: string },
  after: number,
  through: number,
): Promise<{ seals: Head[]; forged: number | undefined }> {
  const { rows } = await knex.raw<{ rows: (Head & { number: number; confirmation: string })[] }>(
    `select number::float8 as number, entries::float8 as entries, balance::float8 as balance, hash, confirmation
     from ledger_seals where account_id = :id and entries > :after and entries <= :through order by number`,
    { id, after, through },
  );
  const forged = rows.find(
    ({ confirmation, ...seal }) =>
      key.confirms(confirmedSeal({ ...account, ...seal }), confirmation) !== true,
  );
  return { seals: rows, forged: forged?.entries };
}

/** As entries have it: texts of this form are in the order of time. */
function microseconds(instant: Date): string {
  return instant.toISOString().replace('Z', '000Z');
}
