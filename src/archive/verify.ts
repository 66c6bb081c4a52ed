/** Checks an archive: that no segment is missing, that none was altered, and that ledgers go on from one to the next. */
import { emptyHead, type Head } from '../ledger/chain.ts';
import { faultOf, type Statement } from '../ledger/statement.ts';
import { wordsOf } from '../model/account.ts';
import { ArchiveFault, lineIn, readLines } from './read-segment.ts';
import { type Manifest, manifestIn, manifestName, noRows, type RowCounts, sha256 } from './segment.ts';
import type { StoredSegment } from './segment-repository.ts';
import type { ArchiveStore } from './store.ts';

/** The ledger of an account as far as it is in the archive. */
export interface ArchivedLedger {
  accountId: string;
  statement: Pick<Statement, 'teamId' | 'product' | 'channel' | 'denomination' | 'category'>;
  head: Head;
}

export interface VerifiedArchive {
  segments: number;
  rows: RowCounts;
  from: string | undefined;
  through: string | undefined;
  /** Sentences; none if all is well. */
  faults: string[];
  /** By the ids of accounts. */
  ledgers: Map<string, ArchivedLedger>;
}

const manifestForm = /^([0-9]{8})\.json$/;

/** `known`: the segments of the database, in order; without them, a last segment that is missing is not noticed. */
export async function verifyArchive(
  store: ArchiveStore,
  known: AsyncIterable<StoredSegment> | undefined,
): Promise<VerifiedArchive> {
  const found: VerifiedArchive = {
    segments: 0,
    rows: { ...noRows },
    from: undefined,
    through: undefined,
    faults: [],
    ledgers: new Map(),
  };
  const last = await lastNumber(store);
  const expected = known?.[Symbol.asyncIterator]();
  // Undefined: the manifest before is not known for sure.
  let previous: string | null | undefined = null;
  for (let number = 1; ; number += 1) {
    const stored = await expected?.next();
    const inDatabase = stored?.done ? undefined : stored?.value;
    if (number > last && inDatabase === undefined) return found;
    const bytes = await store.read(manifestName(number));
    const text = bytes?.toString();
    // A manifest is written before the first row leaves; all of them are in the database.
    if (text === undefined && inDatabase?.leftAt === null) return found;
    const faults = faultsOfManifest(number, text, inDatabase?.text, known !== undefined, previous);
    found.faults.push(...faults);
    const manifest = text === undefined || faults.length > 0 ? inDatabase?.manifest : manifestIn(text);
    if (manifest !== undefined) await verifySegment(store, manifest, found);
    const certain = inDatabase?.text ?? (faults.length > 0 ? undefined : text);
    previous = certain === undefined ? undefined : sha256(certain);
  }
}

async function lastNumber(store: ArchiveStore): Promise<number> {
  const numbers = (await store.names()).map((name) => Number(manifestForm.exec(name)?.[1] ?? 0));
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function faultsOfManifest(
  number: number,
  text: string | undefined,
  inDatabase: string | undefined,
  compared: boolean,
  previous: string | null | undefined,
): string[] {
  const name = manifestName(number);
  if (text === undefined) return [`segment ${number} is missing: there is no ${name}`];
  if (compared && inDatabase === undefined)
    return [`segment ${number} (${name}) is not known to the database`];
  if (compared && text !== inDatabase)
    return [`${name} was altered: it is not the manifest that the database has`];
  const manifest = manifestIn(text);
  if (manifest === undefined || manifest.number !== number)
    return [`${name} is not the manifest of segment ${number}`];
  if (previous !== undefined && manifest.previous !== previous)
    return [
      `${name} does not follow ${number === 1 ? 'nothing' : manifestName(number - 1)}: one of the two was altered`,
    ];
  return [];
}

async function verifySegment(store: ArchiveStore, manifest: Manifest, found: VerifiedArchive): Promise<void> {
  const { file, rows, from, through } = manifest;
  try {
    for await (const text of readLines(store, manifest)) {
      if (!text.startsWith('{"kind":"ledger"')) continue;
      const line = lineIn(text, manifest);
      if (line.kind !== 'ledger') continue;
      const fault = goOn(found.ledgers, line.range.accountId, line.statement);
      if (fault !== undefined) found.faults.push(`${file}: account ${nameOf(line.statement)}: ${fault}`);
    }
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error;
    found.faults.push(error.message);
    return;
  }
  found.segments += 1;
  for (const [name, count] of Object.entries(rows)) found.rows[name as keyof RowCounts] += count;
  if (found.from === undefined || from < found.from) found.from = from;
  if (found.through === undefined || through > found.through) found.through = through;
}

/** Adds the next entries of an account; returns what is wrong with them. */
function goOn(
  ledgers: VerifiedArchive['ledgers'],
  accountId: string,
  statement: Statement,
): string | undefined {
  const { opening, closing, entries: _, ...account } = statement;
  const head = ledgers.get(accountId)?.head ?? emptyHead(account);
  // One that was written twice, because its process died in between.
  if (closing.entries <= head.entries) return faultOf(statement);
  ledgers.set(accountId, { accountId, statement: account, head: closing });
  if (opening.hash !== head.hash) return `entry ${head.entries + 1} is missing, or was altered`;
  return faultOf(statement);
}

export function nameOf({ teamId, ...account }: ArchivedLedger['statement']): string {
  return [teamId, ...wordsOf(account)].join('/');
}
