/** Statements of accounts, page by page, as JSON or CSV. */

import type { Place } from '../../ledger/entry-repository.ts';
import { missingSeals } from '../../ledger/inspection-repository.ts';
import { type Account, findAccount } from '../../ledger/repository.ts';
import {
  faultOf,
  isStatement,
  type Statement,
  type StatementEntry,
  statementFormat,
} from '../../ledger/statement.ts';
import { entriesAfter, openingPlace, sealsBetween } from '../../ledger/statement-repository.ts';
import { accountName, wordsOf } from '../../model/account.ts';
import { faults, ManagementError, requireNone } from '../../platform/errors/management.ts';
import type { Management } from '../management.ts';
import { teamFaults } from '../resource.ts';
import { type AccountOf, keyOf } from './accounts.ts';

export interface Wanted extends AccountOf {
  /** From the first entry that was made then or later. */
  from?: Date | undefined;
  /** Up to, and without, the first entry that was made then or later. */
  to?: Date | undefined;
}

export interface StatementPage {
  statement: Statement;
  /** Where the next page begins; undefined: this is the last one. */
  next: Place | undefined;
}

/** A page is a statement of its own: the next one opens as it closes. */
export async function readStatementPage(
  management: Management,
  wanted: Wanted,
  { after, limit }: { after: Place | undefined; limit: number },
): Promise<StatementPage> {
  const account = await requireAccount(management, wanted);
  const opening = after ?? (await openingPlace(management.knex, account, wanted.from));
  const entries: StatementEntry[] = [];
  let last = opening;
  let more = false;
  for await (const entry of entriesAfter(management.knex, account, opening, wanted.to)) {
    more = entries.length === limit;
    if (more) break;
    entries.push(entry);
    last = placeAfter(entry);
  }
  const statement = {
    ...headOf(account, wanted),
    opening: headAt(opening),
    entries,
    closing: headAt(last),
  };
  return { statement, next: more ? last : undefined };
}

const columns = [
  'position',
  'id',
  'at',
  'units',
  'balance',
  'reason',
  'requestId',
  'messageNumber',
  'reference',
  'note',
  'hash',
] as const satisfies (keyof StatementEntry)[];

const csvHeader = `${columns.join(',')}\r\n`;

const csvLine = (entry: StatementEntry) =>
  `${columns.map((column) => csvField(String(entry[column] ?? ''))).join(',')}\r\n`;

/** A spreadsheet would take these beginnings for a formula; an amount below zero is none. */
const formula = /^[=+@\t\r]|^-(?![0-9]+$)/;

const csvField = (written: string) => quoted(formula.test(written) ? `'${written}` : written);

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** RFC 4180, with a line of column names. */
export const csvOf = ({ entries }: Statement): string => csvHeader + entries.map(csvLine).join('');

async function requireAccount(management: Management, wanted: AccountOf) {
  requireNone(await teamFaults(management.knex, management, wanted.team));
  const account = await findAccount(management.knex, keyOf(wanted));
  if (account === undefined)
    throw new ManagementError([faults.notFound('account', [wanted.team, ...wordsOf(wanted)].join('/'))]);
  return account;
}

function headOf({ teamId, product, variant }: Account, { from, to }: Wanted) {
  return {
    format: statementFormat,
    teamId,
    ...accountName(product, variant),
    from: from?.toISOString(),
    to: to?.toISOString(),
  } as const;
}

const headAt = ({ entries, balance, hash }: Place) => ({ entries, balance, hash });

function placeAfter({ position, id, balance, hash }: StatementEntry): Place {
  return { entries: position, balance, hash, lastEntryId: id };
}

/**
 * Needs nothing but the text of a statement. `head`: a hash that the account is known to have had; somebody who alters
 * entries can compute new hashes for the statement, but not for what others have noted.
 */
export function verifyStatement(
  text: string,
  head: string | undefined,
): { statement: Statement } | { fault: string } {
  let statement: unknown;
  try {
    statement = JSON.parse(text);
  } catch {
    return { fault: 'this is not JSON' };
  }
  if (!isStatement(statement)) return { fault: `this is not a statement of the format ${statementFormat}` };
  const fault = faultOf(statement);
  if (fault !== undefined) return { fault };
  const known = [statement.opening, ...statement.entries].some(({ hash }) => hash === head);
  return head === undefined || known ? { statement } : { fault: `no entry has the hash ${head}` };
}

/**
 * What the seals of the ledger, which only the service can make, say of a statement that verifies by itself: up to which
 * entry they confirm it (null: up to none), or the first thing that is wrong.
 */
export async function compareWithSeals(
  management: Management,
  statement: Statement,
): Promise<{ confirmed: number | null } | { fault: string }> {
  const { opening, entries, closing, ...of } = statement;
  const account = await requireAccount(management, { ...of, team: of.teamId });
  const key = await management.secrets();
  if ((await missingSeals(management.knex, key)) !== 0)
    return { fault: 'seals of ledgers were deleted or added by hand: the doctor names them' };
  const { seals, forged } = await sealsBetween(
    management.knex,
    key,
    account,
    opening.entries,
    closing.entries,
  );
  if (forged !== undefined)
    return { fault: `the seal of entry ${forged} was made by hand: it is not confirmed with SECRET_KEY` };
  const other = seals.find(
    ({ entries: position, hash }) => entries[position - opening.entries - 1]?.hash !== hash,
  );
  if (other !== undefined)
    return { fault: `entry ${other.entries}, or one before it, is not what the service has sealed` };
  return { confirmed: seals.at(-1)?.entries ?? null };
}
