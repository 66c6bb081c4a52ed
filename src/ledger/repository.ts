/** Reads the accounts of teams and their ledgers, and adds the entries that operators make. */
import type { Knex } from 'knex';
import type { Product } from '../model/plan.ts';

export interface AccountKey {
  teamId: string;
  product: Product;
  /** '' for SMS, `<channel>/<denomination>` for mobile data, the template category for chat-app. */
  variant: string;
}

export interface Account extends AccountKey {
  id: string;
  balance: number;
}

export interface LedgerEntry {
  id: string;
  product: Product;
  variant: string;
  /** Negative for debits. */
  units: number;
  reason: 'TopUp' | 'Debit' | 'Refund' | 'Correction';
  requestId: string | null;
  messageNumber: string | null;
  /** Of an operator's entry. */
  reference: string | null;
  note: string | null;
  createdAt: Date;
}

export interface NewEntry {
  units: number;
  reason: 'TopUp' | 'Correction';
  reference: string | null;
  note: string | null;
}

/** The account, opened if need be, and locked until the transaction ends. */
export async function lockAccount(
  trx: Knex.Transaction,
  { teamId, product, variant }: AccountKey,
): Promise<Account> {
  const key = { team_id: teamId, product, variant };
  await trx('accounts').insert(key).onConflict(['team_id', 'product', 'variant']).ignore();
  const row = await trx('accounts').where(key).forUpdate().first('id', 'balance');
  return { teamId, product, variant, id: row.id, balance: Number(row.balance) };
}

export async function findAccount(knex: Knex, key: AccountKey): Promise<Account | undefined> {
  const { teamId: team_id, product, variant } = key;
  const row = await knex('accounts').where({ team_id, product, variant }).first('id', 'balance');
  return row && { ...key, id: row.id, balance: Number(row.balance) };
}

/** Adds an entry to a locked account. Returns the new balance. */
export async function addEntry(
  trx: Knex.Transaction,
  { id, balance }: Account,
  { units, reason, reference, note }: NewEntry,
): Promise<number> {
  await trx('ledger_entries').insert({ account_id: id, units, reason, reference, note });
  await trx('accounts')
    .where({ id })
    .update({ balance: balance + units, granted: trx.raw('granted + ?', [units]) });
  return balance + units;
}

/** The entry of this account that an operator made with this reference. */
export async function findEntryByReference(
  knex: Knex,
  accountId: string,
  reference: string,
): Promise<Pick<LedgerEntry, 'units' | 'reason'> | undefined> {
  const row = await knex('ledger_entries')
    .where({ account_id: accountId, reference })
    .first('units', 'reason');
  return row && { units: Number(row.units), reason: row.reason };
}

export async function listAccounts(knex: Knex, teamId: string): Promise<Account[]> {
  const rows: (Omit<Account, 'balance'> & { balance: string })[] = await knex('accounts')
    .where({ team_id: teamId })
    .orderBy(['product', 'variant'])
    .select('id', 'team_id as teamId', 'product', 'variant', 'balance');
  return rows.map((row) => ({ ...row, balance: Number(row.balance) }));
}

/** Of all teams. */
export async function listAllAccounts(knex: Knex): Promise<Account[]> {
  const teams = await knex('accounts').distinct('team_id').orderBy('team_id').pluck<string[]>('team_id');
  const accounts: Account[] = [];
  for (const team of teams) accounts.push(...(await listAccounts(knex, team)));
  return accounts;
}

export interface EntryFilter {
  teamId: string;
  product?: Product | undefined;
  /** Of mobile data. */
  channel?: string | undefined;
  denomination?: string | undefined;
  /** Of chat-app templates. */
  category?: string | undefined;
  /** Included. */
  from?: Date | undefined;
  /** Not included. */
  to?: Date | undefined;
  /** Entries older than the one with this id. */
  before?: string | undefined;
  limit: number;
}

/** The newest first. */
export async function listEntries(knex: Knex, filter: EntryFilter): Promise<LedgerEntry[]> {
  const { teamId, product, channel, denomination, category, from, to, before, limit } = filter;
  // Each account's newest come from an index: one of them may have millions of entries, and another one few. Entries
  // have times in the order of their ids; seals tell between which ids a period lies.
  const { rows } = await knex.raw<{ rows: (Omit<LedgerEntry, 'units'> & { units: string })[] }>(
    `select e.id, a.product, a.variant, e.units, e.reason, e.request_id as "requestId",
       e.message_id as "messageNumber", e.reference, e.note, e.created_at as "createdAt"
     from accounts a, lateral (
       select * from ledger_entries
       where account_id = a.id and (:before::bigint is null or id < :before)
         and (:from::timestamptz is null or created_at >= :from and id > coalesce(
           (select last_entry_id from ledger_seals where account_id = a.id and latest_at < :from
            order by latest_at desc, number desc limit 1), -1::bigint << 63))
         and (:to::timestamptz is null or created_at < :to and id <= coalesce(
           (select last_entry_id from ledger_seals where account_id = a.id and latest_at >= :to
            order by latest_at, number limit 1), ~(-1::bigint << 63)))
       order by id desc limit :limit
     ) e
     where a.team_id = :teamId and (:product::text is null or a.product = :product)
       and (:channel::text is null or a.product = 'data' and split_part(a.variant, '/', 1) = :channel)
       and (:denomination::text is null or a.product = 'data' and split_part(a.variant, '/', 2) = :denomination)
       and (:category::text is null or a.product = 'chatapp' and a.variant = :category)
     order by e.id desc limit :limit`,
    {
      teamId,
      product: product ?? null,
      channel: channel ?? null,
      denomination: denomination ?? null,
      category: category ?? null,
      from: from ?? null,
      to: to ?? null,
      before: before ?? null,
      limit,
    },
  );
  return rows.map((row) => ({ ...row, units: Number(row.units) }));
}
