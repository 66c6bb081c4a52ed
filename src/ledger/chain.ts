/** The hash chain of an account: each entry of its ledger confirms all entries before it. */
import { createHash } from 'node:crypto';
import { type AccountName, wordsOf } from '../model/account.ts';

/** Grows when the same entries would get other hashes. docs/statements.md describes it. */
const algorithm = 'tarishi-ledger-1';

/** What the hash of an entry confirms. */
export interface ChainEntry {
  id: string;
  /** In UTC with microseconds, as in `2027-01-31T09:30:00.123456Z`. */
  at: string;
  /** Negative for debits. */
  units: number;
  reason: 'TopUp' | 'Debit' | 'Refund' | 'Correction';
  requestId?: string | null;
  messageNumber?: string | null;
  /** Of an operator's entry. */
  reference?: string | null;
  note?: string | null;
}

/** An account as it was after some of its entries. */
export interface Head {
  /** How many. */
  entries: number;
  /** The sum of their units. */
  balance: number;
  /** SHA-256 in hex. */
  hash: string;
}

/** Before the first entry. */
export function emptyHead({ teamId, ...name }: { teamId: string } & AccountName): Head {
  return { entries: 0, balance: 0, hash: digestOf([algorithm, teamId, ...wordsOf(name)]) };
}

/** After one more entry. */
export function headAfter(head: Head, entry: ChainEntry): Head {
  const {
    id,
    at,
    units,
    reason,
    requestId = null,
    messageNumber = null,
    reference = null,
    note = null,
  } = entry;
  const entries = head.entries + 1;
  return {
    entries,
    balance: head.balance + units,
    hash: digestOf([head.hash, entries, id, at, units, reason, requestId, messageNumber, reference, note]),
  };
}

/** JSON.stringify writes a list of texts, whole numbers and nulls as RFC 8785 demands. */
function digestOf(list: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('hex');
}
