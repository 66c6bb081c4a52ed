/**
 * Seals ledgers: notes the hash chain of each account, so that entries cannot be changed unnoticed from then on. A head in
 * the account's row would make each batch for a team wait for hashes while it holds the lock.
 */
import type { Knex } from 'knex';
import { type Parts, withoutRest } from '../platform/isolation/parts.ts';
import { type Head, headAfter } from './chain.ts';
import { confirmedCount, confirmedSeal, type LedgerKey, type SealCount } from './confirmation.ts';
import { entriesPerRead, firstPlace, type Place, readEntries } from './entry-repository.ts';
import type { AccountKey } from './repository.ts';

interface Unsealed extends AccountKey {
  id: string;
  /** The last seal; null: the account has none. */
  sealed: (Place & { number: number; latestAt: string; confirmation: string }) | null;
}

const accountsPerRound = 100;

/** Nothing is built upon what this service has not made. */
class ChangedByHand extends Error {}

/**
 * Adds a seal to accounts with new entries. Reads each entry once in its life, and none of the account's row: who pays
 * from the account does not wait. Of two processes that seal the same entries, one does. Returns whether more may
 * be left. `accountParts`: by the ids of accounts.
 */
export async function sealLedgers(
  knex: Knex,
  key: LedgerKey,
  accountParts: Parts = withoutRest,
): Promise<boolean> {
  const accounts = await findUnsealed(knex, accountParts.resting());
  let more = accounts.length === accountsPerRound;
  for (const account of accounts)
    more = (await accountParts.run(account.id, () => sealAccount(knex, key, account))) || more;
  return more;
}

async function findUnsealed(knex: Knex, resting: readonly string[]): Promise<Unsealed[]> {
  const { rows } = await knex.raw<{ rows: Unsealed[] }>(
    `select a.id, a.team_id as "teamId", a.product, a.variant, s.sealed
     from accounts a left join lateral (
       select last_entry_id, json_build_object('number', number, 'entries', entries, 'balance', balance, 'hash', hash,
         'lastEntryId', last_entry_id::text, 'latestAt', latest_at, 'confirmation', confirmation) as sealed
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
async function sealAccount(
  knex: Knex,
  key: LedgerKey,
  { id, sealed, ...account }: Unsealed,
): Promise<boolean> {
  if (sealed && key.confirms(confirmedSeal({ ...account, ...sealed }), sealed.confirmation) !== true)
    throw new ChangedByHand(`the last seal of account ${id} was changed by hand: the doctor names them`);
  const before = sealed ?? firstPlace(account);
  const entries = await readEntries(knex, id, before.lastEntryId);
  const last = entries.at(-1);
  if (last === undefined) return false;
  const head = entries.reduce<Head>(headAfter, before);
  const latest = entries.reduce((latest, { at }) => (at > latest ? at : latest), last.at);
  const number = (sealed?.number ?? 0) + 1;
  await knex.transaction(async (trx) => {
    const count = await lockCount(trx, key);
    const { rows } = await trx.raw<{ rows: object[] }>(
      `insert into ledger_seals
         (account_id, number, entries, last_entry_id, balance, hash, latest_at, confirmation)
       values (:id, :number, :entries, :lastEntryId, :balance, :hash,
         greatest(:latest::timestamptz, :latestBefore::timestamptz), :confirmation)
       on conflict do nothing returning number`,
      {
        id,
        number,
        ...head,
        lastEntryId: last.id,
        latest,
        latestBefore: sealed?.latestAt ?? latest,
        confirmation: key.confirm(confirmedSeal({ ...account, ...head, number })),
      },
    );
    if (rows.length > 0) await storeCount(trx, key, { ...count, seals: count.seals + 1 });
  });
  return entries.length === entriesPerRead;
}

/** Of a database without seals. */
export async function startSealCount(trx: Knex, key: LedgerKey): Promise<void> {
  await trx('ledger_seal_count').delete();
  const none = { seals: 0, archived: 0 };
  await trx('ledger_seal_count').insert({ ...none, confirmation: key.confirm(confirmedCount(none)) });
}

/** Processes seal one after the other: each waits for as long as another takes to store a seal. */
export async function lockCount(trx: Knex, key: LedgerKey): Promise<SealCount> {
  const row = await trx('ledger_seal_count').forUpdate().first('seals', 'archived', 'confirmation');
  const count = { seals: Number(row?.seals), archived: Number(row?.archived) };
  if (row === undefined || key.confirms(confirmedCount(count), row.confirmation) !== true)
    throw new ChangedByHand('the count of ledger seals was changed by hand: the doctor names them');
  return count;
}

export async function storeCount(trx: Knex, key: LedgerKey, count: SealCount): Promise<void> {
  await trx('ledger_seal_count').update({ ...count, confirmation: key.confirm(confirmedCount(count)) });
}

const sealsAtOnce = 1_000;

interface SealOfKey extends AccountKey, Head {
  accountId: string;
  number: number;
  confirmation: string;
}

/** The newest of an account. */
export async function lastSealOf(
  knex: Knex,
  accountId: string,
): Promise<(Head & { number: number; confirmation: string }) | undefined> {
  const { rows } = await knex.raw<{ rows: (Head & { number: number; confirmation: string })[] }>(
    `select number::float8 as number, entries::float8 as entries, balance::float8 as balance, hash, confirmation
     from ledger_seals where account_id = ?::bigint order by number desc limit 1`,
    [accountId],
  );
  return rows[0];
}

/** How many seals name the key. */
export async function sealsNaming(knex: Knex, keyId: string): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ seals: number }] }>(
    `select (select count(*) from ledger_seals where confirmation like :naming)::float8
       + (select count(*) from ledger_seal_count where confirmation like :naming)::float8 as seals`,
    { naming: `${keyId}.%` },
  );
  return rows[0].seals;
}

/**
 * Confirms again, with the newest key, the seals that name another one and are right. Returns how many it left because
 * they are not. `onPart` is told how many are done.
 */
export async function confirmSealsAgain(
  knex: Knex,
  key: LedgerKey,
  keyId: string,
  onPart: (done: number) => void,
): Promise<number> {
  let [after, done, wrong] = [{ accountId: '0', number: 0 }, 0, 0];
  await knex
    .transaction(async (trx) => storeCount(trx, key, await lockCount(trx, key)))
    .catch((error) => {
      if (!(error instanceof ChangedByHand)) throw error;
      wrong += 1;
    });
  for (;;) {
    const { rows } = await knex.raw<{ rows: SealOfKey[] }>(
      `select s.account_id as "accountId", a.team_id as "teamId", a.product, a.variant, s.number::float8 as number,
         s.entries::float8 as entries, s.balance::float8 as balance, s.hash, s.confirmation
       from ledger_seals s join accounts a on a.id = s.account_id
       where (s.account_id, s.number) > (:accountId::bigint, :number::bigint) and s.confirmation like :naming
       order by s.account_id, s.number limit ${sealsAtOnce}`,
      { ...after, naming: `${keyId}.%` },
    );
    const last = rows.at(-1);
    if (last === undefined) return wrong;
    const right = rows.filter((seal) => key.confirms(confirmedSeal(seal), seal.confirmation) === true);
    await knex.raw(
      `update ledger_seals s set confirmation = n.confirmation
       from json_to_recordset(?::json) as n(account_id bigint, number bigint, confirmation text)
       where s.account_id = n.account_id and s.number = n.number`,
      [
        JSON.stringify(
          right.map((seal) => ({
            account_id: seal.accountId,
            number: seal.number,
            confirmation: key.confirm(confirmedSeal(seal)),
          })),
        ),
      ],
    );
    after = { accountId: last.accountId, number: last.number };
    done += right.length;
    wrong += rows.length - right.length;
    onPart(done);
  }
}
