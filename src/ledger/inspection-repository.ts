/** Finds ledger entries that somebody changed, added or deleted by hand, and balances that do not match them. */
import type { Knex } from 'knex';
import { type Head, headAfter } from './chain.ts';
import { confirmedCount, confirmedSeal, type LedgerKey } from './confirmation.ts';
import { firstPlace, type Place, readEntries } from './entry-repository.ts';
import type { Account, AccountKey } from './repository.ts';

/** What is known of an account besides its entries that are sealed. */
export interface Mismatch extends Account {
  /** What its sealed and later entries sum up to. */
  entries: number;
}

/** Accounts whose balance is not their last seal's with the entries since then. Reads no sealed entry. */
export async function accountsUnlikeLedger(knex: Knex): Promise<Mismatch[]> {
  const { rows } = await knex.raw<{ rows: Mismatch[] }>(
    `select id, team_id as "teamId", product, variant, balance::float8 as balance, entries::float8 as entries
     from accounts a cross join lateral (
       select coalesce(s.balance, 0) + coalesce(
         (select sum(units) from ledger_entries where account_id = a.id and id > coalesce(s.last_entry_id, -1::bigint << 63)), 0)
         as entries
       from (select) as one left join lateral (
         select balance, last_entry_id from ledger_seals where account_id = a.id order by number desc limit 1
       ) s on true
     ) e
     where a.balance <> e.entries order by id`,
  );
  return rows;
}

/** How many seals are missing; NaN when what counts them, or those whose entries were archived, was changed by hand. */
export async function missingSeals(knex: Knex, key: LedgerKey): Promise<number> {
  const { rows } = await knex.raw<{
    rows: { found: number; cut: number; seals: number; archived: number; confirmation: string }[];
  }>(
    `select (select count(*) from ledger_seals)::float8 as found,
       (select coalesce(sum(number), 0) from ledger_cuts)::float8 as cut,
       seals::float8 as seals, archived::float8 as archived, confirmation
     from ledger_seal_count`,
  );
  const [count] = rows;
  const confirmed = count !== undefined && key.confirms(confirmedCount(count), count.confirmation) === true;
  return confirmed && count.cut === count.archived ? count.seals - count.found : Number.NaN;
}

/** Entries that are not what they were when they were sealed. */
export interface BrokenSeal extends AccountKey {
  /** Positions of the sealed entries in the ledger of their account. */
  first: number;
  last: number;
  /** How many there are now; null: the seal before this one is missing. */
  found: number | null;
  /** Somebody made the seal who does not have the key. */
  forged: boolean;
}

interface Seal extends AccountKey, Place {
  accountId: string;
  number: number;
  confirmation: string;
  /** Null for the first seal of an account, or when it is missing. */
  before: Place | null;
  /** Its entries are in the archive. */
  archived: boolean;
}

/** After this seal. */
type Progress = Pick<Seal, 'accountId' | 'number'>;

/**
 * Compares entries with their seals: about `most` of them, beginning where the last inspection ended. After one that
 * found a broken seal the next one begins there, so that it is found again.
 */
export async function inspectSeals(knex: Knex, key: LedgerKey, most: number): Promise<BrokenSeal[]> {
  const { rows } = await knex.raw<{ rows: [Progress] }>(
    'select account_id as "accountId", number::float8 as number from ledger_inspection',
  );
  const broken: BrokenSeal[] = [];
  let [progress, next, read] = [rows[0], undefined as Progress | undefined, 0];
  for await (const seal of sealsFrom(knex, progress)) {
    const found = await inspect(knex, key, seal);
    if (found !== undefined) {
      broken.push(found);
      next ??= progress;
    }
    progress = { accountId: seal.accountId, number: seal.number };
    read += seal.entries - (seal.before?.entries ?? 0);
    if (read >= most) break;
  }
  const { accountId: account_id, number } = next ?? progress;
  await knex('ledger_inspection').update({ account_id, number });
  return broken;
}

/** All seals: those behind a place, and then those before it. */
async function* sealsFrom(knex: Knex, begin: Progress): AsyncGenerator<Seal> {
  const last = { accountId: String(2n ** 63n - 1n), number: 0 };
  for (const [from, through] of [
    [begin, last],
    [{ accountId: '0', number: 0 }, begin],
  ] as const) {
    let after: Progress | undefined = from;
    while (after !== undefined) {
      const seals: Seal[] = await readSeals(knex, after, through);
      yield* seals;
      after = seals.at(-1);
    }
  }
}

async function readSeals(knex: Knex, after: Progress, through: Progress): Promise<Seal[]> {
  const { rows } = await knex.raw<{ rows: Seal[] }>(
    `select s.account_id as "accountId", a.team_id as "teamId", a.product, a.variant, s.number::float8 as number,
       s.entries::float8 as entries, s.balance::float8 as balance, s.hash, s.last_entry_id as "lastEntryId",
       s.confirmation, s.number <= coalesce(c.number, 0) as archived,
       case when p.number is not null then json_build_object('entries', p.entries, 'balance', p.balance,
         'hash', p.hash, 'lastEntryId', p.last_entry_id::text) end as before
     from ledger_seals s join accounts a on a.id = s.account_id
       left join ledger_seals p on p.account_id = s.account_id and p.number = s.number - 1
       left join ledger_cuts c on c.account_id = s.account_id
     where (s.account_id, s.number) > (:account::bigint, :number::bigint)
       and (s.account_id, s.number) <= (:lastAccount::bigint, :lastNumber::bigint)
     order by s.account_id, s.number limit 200`,
    {
      account: after.accountId,
      number: after.number,
      lastAccount: through.accountId,
      lastNumber: through.number,
    },
  );
  return rows;
}

async function inspect(knex: Knex, key: LedgerKey, seal: Seal): Promise<BrokenSeal | undefined> {
  const { teamId, product, variant, accountId, number, entries, lastEntryId } = seal;
  const before = number === 1 ? firstPlace(seal) : seal.before;
  const forged = key.confirms(confirmedSeal(seal), seal.confirmation) !== true;
  const place = { teamId, product, variant, first: (before?.entries ?? 0) + 1, last: entries, forged };
  if (before === null) return { ...place, found: null };
  if (seal.archived) return forged ? { ...place, found: entries - before.entries } : undefined;
  const found = await readEntries(knex, accountId, before.lastEntryId, lastEntryId);
  const { hash, balance } = found.reduce(headAfter, before as Head);
  const same = hash === seal.hash && balance === seal.balance;
  return same && !forged ? undefined : { ...place, found: found.length };
}
