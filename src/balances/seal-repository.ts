/** Seals ledgers: notes the hash chain of each account, so that entries cannot be changed unnoticed from then on. */
import type { Knex } from 'knex';
import { type Parts, withoutRest } from '../isolation/parts.ts';
import { type Head, headAfter } from './chain.ts';
import { entriesPerRead, firstPlace, type Place, readEntries } from './entry-repository.ts';
import type { AccountKey } from './repository.ts';

interface Unsealed extends AccountKey {
  id: string;
  /** The last seal; null: the account has none. */
  sealed: (Place & { number: number; latestAt: string }) | null;
}

const accountsPerRound = 100;

/**
 * Adds a seal to accounts with new entries. Reads each entry once in its life, and none of the account's row: who pays
 * from the account does not wait. Of two processes that seal the same entries, one does. Returns whether more may
 * be left. `accountParts`: by the ids of accounts.
 */
export async function sealLedgers(knex: Knex, accountParts: Parts = withoutRest): Promise<boolean> {
  const accounts = await findUnsealed(knex, accountParts.resting());
  let more = accounts.length === accountsPerRound;
  for (const account of accounts)
    more = (await accountParts.run(account.id, () => sealAccount(knex, account))) || more;
  return more;
}

async function findUnsealed(knex: Knex, resting: readonly string[]): Promise<Unsealed[]> {
  const { rows } = await knex.raw<{ rows: Unsealed[] }>(
    `select a.id, a.team_id as "teamId", a.product, a.variant, s.sealed
     from accounts a left join lateral (
       select last_entry_id, json_build_object('number', number, 'entries', entries, 'balance', balance, 'hash', hash,
         'lastEntryId', last_entry_id::text, 'latestAt', latest_at) as sealed
       from ledger_seals where account_id = a.id order by number desc limit 1
     ) s on true
     where exists (select from ledger_entries where account_id = a.id and id > coalesce(s.last_entry_id, -1::bigint << 63))
       and a.id <> all(?::bigint[])
     limit ${accountsPerRound}`,
    [[...resting]],
  );
  return rows;
}

/** Returns whether the account may have more entries. */
async function sealAccount(knex: Knex, { id, sealed, ...key }: Unsealed): Promise<boolean> {
  const before = sealed ?? firstPlace(key);
  const entries = await readEntries(knex, id, before.lastEntryId);
  const last = entries.at(-1);
  if (last === undefined) return false;
  const { entries: count, balance, hash } = entries.reduce<Head>(headAfter, before);
  const latest = entries.reduce((latest, { at }) => (at > latest ? at : latest), last.at);
  await knex.raw(
    `insert into ledger_seals (account_id, number, entries, last_entry_id, balance, hash, latest_at)
     values (:id, :number, :count, :lastEntryId, :balance, :hash,
       greatest(:latest::timestamptz, :latestBefore::timestamptz))
     on conflict do nothing`,
    {
      id,
      number: (sealed?.number ?? 0) + 1,
      count,
      balance,
      hash,
      lastEntryId: last.id,
      latest,
      latestBefore: sealed?.latestAt ?? latest,
    },
  );
  return entries.length === entriesPerRead;
}
