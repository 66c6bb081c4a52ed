/** Statements of accounts, which anybody can verify with nothing but the statement. */

import type { AccountName } from '../model/account.ts';
import { type ChainEntry, emptyHead, type Head, headAfter } from './chain.ts';

export const statementFormat = 'tarishi-statement-1';

/** An entry with what it came to. */
export interface StatementEntry extends ChainEntry {
  /** Its number in the ledger of the account: 1 for the first. */
  position: number;
  /** After the entry. */
  balance: number;
  /** Of this entry and all before it. */
  hash: string;
}

export interface Statement extends AccountName {
  format: typeof statementFormat;
  teamId: string;
  /** RFC 3339; absent: from the beginning. */
  from?: string | undefined;
  /** Not included; absent: up to the present. */
  to?: string | undefined;
  /** The account before the first entry. */
  opening: Head;
  /** The oldest first, without a gap. */
  entries: StatementEntry[];
  /** The account after the last entry. */
  closing: Head;
}

export function statementEntry(before: Head, entry: ChainEntry): { head: Head; entry: StatementEntry } {
  const head = headAfter(before, entry);
  const { entries: position, balance, hash } = head;
  const set = Object.entries(entry).filter(([, value]) => value !== null);
  return { head, entry: { position, ...(Object.fromEntries(set) as unknown as ChainEntry), balance, hash } };
}

/** Whether a document has the parts of a statement; what they say may still be wrong. */
export function isStatement(document: unknown): document is Statement {
  const { format, opening, entries, closing } = partsOf(document);
  return (
    format === statementFormat &&
    isHead(opening) &&
    isHead(closing) &&
    Array.isArray(entries) &&
    entries.every((entry) => {
      const { position, ...rest } = partsOf(entry);
      return isHead({ ...rest, entries: position }) && typeof rest.units === 'number';
    })
  );
}

function isHead(document: unknown): document is Head {
  const { entries, balance, hash } = partsOf(document);
  return typeof entries === 'number' && typeof balance === 'number' && typeof hash === 'string';
}

function partsOf(document: unknown): Record<string, unknown> {
  return typeof document === 'object' && document !== null ? { ...document } : {};
}

/** What is wrong with a statement: the first thing only, because what follows is wrong with it. */
export function faultOf(statement: Statement): string | undefined {
  const { opening, entries, closing } = statement;
  if (opening.entries === 0 && !sameHead(opening, emptyHead(statement)))
    return 'opening is not that of an account without entries';
  let head: Head = opening;
  for (const entry of entries) {
    const fault = faultOfEntry(head, entry);
    if (fault !== undefined) return fault;
    head = { entries: entry.position, balance: entry.balance, hash: entry.hash };
  }
  if (head.entries < closing.entries) return `entry ${head.entries + 1} is missing`;
  return sameHead(head, closing) ? undefined : 'closing does not match the last entry';
}

function faultOfEntry(head: Head, entry: StatementEntry): string | undefined {
  const { position, id, balance, hash } = entry;
  const expected = head.entries + 1;
  const name = `entry ${position} (id ${id})`;
  if (position > expected) return `entry ${expected} is missing`;
  if (position < expected) return `${name} is out of place: entry ${expected} belongs there`;
  const after = headAfter(head, entry);
  if (after.hash !== hash) return `${name} was altered`;
  return after.balance === balance ? undefined : `${name} was altered: the balance does not match the units`;
}

function sameHead(one: Head, other: Head): boolean {
  return one.entries === other.entries && one.balance === other.balance && one.hash === other.hash;
}
