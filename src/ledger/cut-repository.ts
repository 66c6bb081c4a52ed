/** Takes sealed entries out of the ledger once the archive has them; what is left begins at the seal of the last one. */
import type { Knex } from 'knex';
import { accountName } from '../model/account.ts';
import { ItemFault } from '../platform/isolation/fault.ts';
import { type Head, headAfter } from './chain.ts';
import type { LedgerKey } from './confirmation.ts';
import { firstPlace, type Place, readEntries } from './entry-repository.ts';
import type { AccountKey } from './repository.ts';
import { lockCount, storeCount } from './seal-repository.ts';
import { type Statement, type StatementEntry, statementEntry, statementFormat } from './statement.ts';

export interface DueAccount extends AccountKey {
  id: string;
  /** How old its entries are when they leave. */
  days: number;
  /** The seal that its ledger begins with; 0: it begins with the first entry. */
  cut: number;
}

/** Which entries of an account a seal covers that no earlier one does. */
export interface SealedRange {
  accountId: string;
  /** Of the seal, within its account. */
  number: number;
  afterId: string;
  throughId: string;
}

const accountsAtOnce = 50;
const sealsAtOnce = 10;

/** Accounts behind an id whose first seal here is old enough; `days`: SQL for those of the team `t`. */
export async function findDueAccounts(
  knex: Knex,
  afterId: string,
  days: string,
  bindings: Readonly<Record<string, number>>,
): Promise<DueAccount[]> {
  const { rows } = await knex.raw<{ rows: DueAccount[] }>(
    `select a.id, a.team_id as "teamId", a.product, a.variant, days, coalesce(c.number, 0)::float8 as cut
     from accounts a join teams t on t.id = a.team_id cross join lateral (select ${days} as days) as chosen
       left join ledger_cuts c on c.account_id = a.id
       join ledger_seals s on s.account_id = a.id and s.number = coalesce(c.number, 0) + 1
     where a.id > :afterId::bigint and s.latest_at < service_now() - days * interval '1 day'
     order by a.id limit ${accountsAtOnce}`,
    { ...bindings, afterId },
  );
  return rows;
}

/** What the next old seals of an account cover, behind the one with this number. */
export async function readSealed(
  knex: Knex,
  { id, days, ...account }: DueAccount,
  after: number,
): Promise<{ range: SealedRange; statement: Statement }[]> {
  const { rows } = await knex.raw<{ rows: { number: number; opening: Place | null; closing: Place }[] }>(
    `select s.number::float8 as number, ${placeOf('s')} as closing,
       case when p.number is not null then ${placeOf('p')} end as opening
     from ledger_seals s left join ledger_seals p on p.account_id = s.account_id and p.number = s.number - 1
     where s.account_id = :id::bigint and s.number > :after::bigint
       and s.latest_at < service_now() - :days::integer * interval '1 day'
     order by s.number limit ${sealsAtOnce}`,
    { id, after, days },
  );
  const found: { range: SealedRange; statement: Statement }[] = [];
  for (const { number, opening, closing } of rows) {
    // Nothing leaves across a gap.
    if (number !== after + found.length + 1) break;
    const from = opening ?? firstPlace(account);
    const range = { accountId: id, number, afterId: from.lastEntryId, throughId: closing.lastEntryId };
    found.push({ range, statement: await statementOf(knex, account, range, from, closing) });
  }
  return found;
}

const placeOf = (seal: string) =>
  `json_build_object('entries', ${seal}.entries, 'balance', ${seal}.balance, 'hash', ${seal}.hash,
    'lastEntryId', ${seal}.last_entry_id::text)`;

async function statementOf(
  knex: Knex,
  { teamId, product, variant }: AccountKey,
  { accountId, number, afterId, throughId }: SealedRange,
  from: Place,
  through: Place,
): Promise<Statement> {
  const [opening, closing] = [headAt(from), headAt(through)];
  const entries: StatementEntry[] = [];
  let head = opening;
  for (const stored of await readEntries(knex, accountId, afterId, throughId)) {
    const next = statementEntry(head, stored);
    entries.push(next.entry);
    head = next.head;
  }
  // What was changed by hand stays, so that it can be looked into.
  if (head.hash !== closing.hash)
    throw new ItemFault(
      `the entries of seal ${number} of account ${accountId} do not match it: see the doctor`,
    );
  return { format: statementFormat, teamId, ...accountName(product, variant), opening, entries, closing };
}

const headAt = ({ entries, balance, hash }: Place): Head => ({ entries, balance, hash });

/**
 * Deletes the entries that a seal covers, if they still come to this hash, and notes that the ledger begins behind them.
 * Those with a reference stay: repeating one must change nothing. Does nothing when it is repeated, or when the entries
 * were changed by hand meanwhile.
 */
export async function cutLedger(
  trx: Knex.Transaction,
  key: LedgerKey,
  { accountId, number, afterId, throughId }: SealedRange,
  { opening, closing }: Pick<Statement, 'opening' | 'closing'>,
): Promise<void> {
  const count = await lockCount(trx, key);
  const before = await trx('ledger_cuts').where({ account_id: accountId }).first('number');
  if (Number(before?.number ?? 0) !== number - 1) return;
  const entries = await readEntries(trx, accountId, afterId, throughId);
  if (entries.reduce<Head>(headAfter, opening).hash !== closing.hash) return;
  await trx('ledger_cuts')
    .insert({ account_id: accountId, number, last_entry_id: throughId })
    .onConflict('account_id')
    .merge();
  await trx.raw(
    `delete from ledger_entries where account_id = :accountId::bigint and id > :afterId::bigint and id <= :throughId::bigint
       and reference is null`,
    { accountId, afterId, throughId },
  );
  await storeCount(trx, key, { ...count, archived: count.archived + 1 });
}
