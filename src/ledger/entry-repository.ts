/** Reads the entries of one account in the order of their hash chain, and where the chain can be picked up. */
import type { Knex } from 'knex';
import { accountName } from '../model/account.ts';
import { type ChainEntry, emptyHead, type Head } from './chain.ts';
import type { AccountKey } from './repository.ts';

/** A place in the chain: after this entry. */
export interface Place extends Head {
  lastEntryId: string;
}

/** Less than any id that somebody could write by hand. */
const beforeAllIds = String(-(2n ** 63n));

/** Before the first entry. */
export function firstPlace({ teamId, product, variant }: AccountKey): Place {
  return { ...emptyHead({ teamId, ...accountName(product, variant) }), lastEntryId: beforeAllIds };
}

/** An account reads this many entries at once. */
export const entriesPerRead = 1_000;

/** The next entries, the oldest first. `through`: the last one that is wanted. */
export async function readEntries(
  knex: Knex,
  accountId: string,
  afterId: string,
  through?: string,
): Promise<ChainEntry[]> {
  const { rows } = await knex.raw<{ rows: (Omit<ChainEntry, 'units'> & { units: string })[] }>(
    `select id::text, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, units,
       reason, request_id as "requestId", message_id::text as "messageNumber", reference, note
     from ledger_entries
     where account_id = :accountId::bigint and id > :afterId::bigint
       and (:through::bigint is null or id <= :through::bigint)
     order by ledger_entries.id limit ${entriesPerRead}`,
    { accountId, afterId, through: through ?? null },
  );
  return rows.map((row) => ({ ...row, units: Number(row.units) }));
}

/** Before the first entry that is still here: those before it are in the archive. */
export async function beginningOf(knex: Knex, account: AccountKey & { id: string }): Promise<Place> {
  const { rows } = await knex.raw<{ rows: Place[] }>(
    `select s.entries::float8 as entries, s.balance::float8 as balance, s.hash, s.last_entry_id as "lastEntryId"
     from ledger_cuts c join ledger_seals s using (account_id, number) where account_id = ?::bigint`,
    [account.id],
  );
  return rows[0] ?? firstPlace(account);
}

/** The last seal before an instant; undefined when no entry that old is sealed. */
export async function placeBefore(knex: Knex, accountId: string, instant: Date): Promise<Place | undefined> {
  const { rows } = await knex.raw<{ rows: Place[] }>(
    `select entries::float8, balance::float8, hash, last_entry_id as "lastEntryId" from ledger_seals
     where account_id = ?::bigint and latest_at < ?::timestamptz
     order by latest_at desc, number desc limit 1`,
    [accountId, instant],
  );
  return rows[0];
}
