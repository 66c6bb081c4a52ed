/** Statements of accounts: a page of one, or a whole one as JSON or CSV in parts. */

import type { Place } from '../../balances/entry-repository.ts';
import { type Account, findAccount } from '../../balances/repository.ts';
import {
  faultOf,
  isStatement,
  type Statement,
  type StatementEntry,
  statementFormat,
} from '../../balances/statement.ts';
import { entriesAfter, openingPlace } from '../../balances/statement-repository.ts';
import { faults, ManagementError, requireNone } from '../../errors/management.ts';
import type { Management } from '../management.ts';
import { teamFaults } from '../resource.ts';
import type { AccountOf } from './accounts.ts';

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

/** However long it is, only a part of it is in memory. */
export async function streamStatement(
  management: Management,
  wanted: Wanted,
  form: 'json' | 'csv',
): Promise<AsyncIterable<string>> {
  const account = await requireAccount(management, wanted);
  const opening = await openingPlace(management.knex, account, wanted.from);
  const entries = entriesAfter(management.knex, account, opening, wanted.to);
  return form === 'csv' ? csvParts(entries) : jsonParts(headOf(account, wanted), opening, entries);
}

async function* jsonParts(
  head: ReturnType<typeof headOf>,
  opening: Place,
  entries: AsyncIterable<StatementEntry>,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ ...head, opening: headAt(opening) }).slice(0, -1)},"entries":[`;
  let last = opening;
  for await (const entry of entries) {
    yield `${last === opening ? '' : ','}\n${JSON.stringify(entry)}`;
    last = placeAfter(entry);
  }
  yield `\n],"closing":${JSON.stringify(headAt(last))}}\n`;
}

const columns = [
  'position',
  'id',
  'at',
  'units',
  'balance',
  'reason',
  'requestId',
  'messageId',
  'reference',
  'note',
  'hash',
] as const satisfies (keyof StatementEntry)[];

/** RFC 4180, with a line of column names. */
async function* csvParts(
  entries: AsyncIterable<StatementEntry> | Iterable<StatementEntry>,
): AsyncGenerator<string> {
  yield csvHeader;
  for await (const entry of entries) yield csvLine(entry);
}

const csvHeader = `${columns.join(',')}\r\n`;

const csvLine = (entry: StatementEntry) =>
  `${columns.map((column) => csvField(String(entry[column] ?? ''))).join(',')}\r\n`;

const csvField = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const csvOf = ({ entries }: Statement): string => csvHeader + entries.map(csvLine).join('');

async function requireAccount(management: Management, { team, product, variant = '' }: AccountOf) {
  requireNone(await teamFaults(management.knex, management, team));
  const account = await findAccount(management.knex, { teamId: team, product, variant });
  if (account === undefined)
    throw new ManagementError([
      faults.notFound('account', [team, product, ...(variant === '' ? [] : [variant])].join('/')),
    ]);
  return account;
}

function headOf({ teamId, product, variant }: Account, { from, to }: Wanted) {
  return {
    format: statementFormat,
    teamId,
    product,
    variant,
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
  } as const;
}

const headAt = ({ entries, balance, hash }: Place) => ({ entries, balance, hash });

function placeAfter({ position, id, balance, hash }: StatementEntry): Place {
  return { entries: position, balance, hash, lastEntryId: id };
}

/**
 * Needs nothing but the text of a statement. `head`: a hash that the account is known to have had; whoever alters
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
