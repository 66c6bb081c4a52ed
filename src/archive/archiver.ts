/** Moves old rows into the archive: writes a segment, notes it, and only then deletes what it holds. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { LedgerKey } from '../ledger/confirmation.ts';
import { cutLedger } from '../ledger/cut-repository.ts';
import { recordAtOnce } from '../platform/isolation/record.ts';
import { type GatherDependencies, gather, messagesTogether, type Places } from './gather.ts';
import { keepPlaces, leavers, removeArchived, rewind } from './leaving-repository.ts';
import { ArchiveFault, readSegment } from './read-segment.ts';
import {
  createSegment,
  type InboundLine,
  type LedgerLine,
  type Line,
  linesOf,
  manifestName,
  type RequestLine,
  sha256,
} from './segment.ts';
import {
  endLease,
  insertSegment,
  isDue,
  lastSegment,
  noteCaughtUp,
  noteLeft,
  type StoredSegment,
  takeLease,
} from './segment-repository.ts';
import type { ArchiveStore } from './store.ts';

export interface ArchiverDependencies extends Omit<GatherDependencies, 'segmentBytes'> {
  store: ArchiveStore;
  key: LedgerKey;
  /** Whether the step under way is to end soon. */
  isEnding: () => boolean;
  /** Of a segment, compressed, about. */
  segmentBytes?: number;
}

/** A process archives while it has the lease, in steps between which it may end. */
export interface Archiver {
  /** Writes a segment, or deletes the rows of the one that was written. Returns whether more is due at once. */
  step: () => Promise<boolean>;
  /** Lets another process go on. */
  end: () => Promise<void>;
}

/** Held in memory while the segment is written, and while its rows are deleted. */
const usualBytes = 8_000_000;
/** A sixth of the lease. */
const renewEveryMs = 20_000;

export function createArchiver(dependencies: ArchiverDependencies): Archiver {
  const { knex, store, segmentBytes = usualBytes } = dependencies;
  const holder = randomUUID();
  let renewedMs = 0;
  const lease = async () => {
    if (performance.now() - renewedMs < renewEveryMs) return;
    if ((await takeLease(knex, holder)) === undefined) throw new Interrupted('another process archives now');
    renewedMs = performance.now();
  };
  /** Of a segment that was written and whose rows have not left yet. */
  let written: { number: number; places: Places } | undefined;
  const working = {
    ...dependencies,
    segmentBytes,
    rest: async (tookMs: number) => {
      await dependencies.rest(tookMs);
      if (dependencies.isEnding()) throw new Interrupted('the process ends');
      await lease();
    },
  };

  const write = async (database: string, last: StoredSegment | undefined): Promise<boolean> => {
    await requireOwn(store, database);
    await rewind(knex);
    const segment = createSegment();
    const { full, places } = await gather(working, segment);
    const number = (last?.manifest.number ?? 0) + 1;
    const previous = last === undefined ? null : sha256(last.text);
    const made = await segment.end({ database, number, previous });
    if (made !== undefined) {
      // Written by a database that this one is an old copy of: nothing of it is replaced.
      if ((await store.read(manifestName(number))) !== undefined)
        throw new ArchiveFault(
          `segment ${number} is in the archive (${store.url}) and not known to the database: see docs/archive.md`,
        );
      await store.write(made.manifest.file, made.bytes);
      // What a store has lost or damaged at once is written again: nobody knows of it yet.
      await readSegment(store, made.manifest);
      await lease();
      if (!(await insertSegment(knex, made.manifest))) return false;
      written = { number, places };
    } else await keepAll(knex, places);
    if (!full) await noteCaughtUp(knex);
    return made !== undefined;
  };

  const finish = async ({ manifest, text }: StoredSegment): Promise<void> => {
    await store.write(manifestName(manifest.number), Buffer.from(text));
    // Nothing is deleted that could not be read again from the archive.
    await removeRows(working, await readSegment(store, manifest));
    if (written?.number === manifest.number) await keepAll(knex, written.places);
    await noteLeft(knex, manifest.number);
  };

  return {
    step: async () => {
      if (!(await isDue(knex))) return false;
      const taken = await takeLease(knex, holder);
      if (taken === undefined) return false;
      const last = await lastSegment(knex);
      try {
        if (last !== undefined && last.leftAt === null) await finish(last);
        else return taken.due && (await write(taken.database, last));
      } catch (error) {
        if (error instanceof Interrupted) return false;
        throw error;
      }
      return true;
    },
    end: () => endLease(knex, holder),
  };
}

/** Ends the step; whoever has the lease next does what is left. */
class Interrupted extends Error {}

const ownName = 'archive.json';

/** An archive belongs to one database. */
async function requireOwn(store: ArchiveStore, database: string): Promise<void> {
  const found = await store.read(ownName);
  if (found === undefined) return store.write(ownName, Buffer.from(`${JSON.stringify({ database })}\n`));
  const { database: owner }: { database?: string } = JSON.parse(found.toString());
  if (owner !== database) throw new ArchiveFault(`the archive (${store.url}) is that of another database`);
}

async function keepAll(knex: Knex, places: Places): Promise<void> {
  for (const leaver of leavers) await keepPlaces(knex, leaver, places[leaver]);
}

/** May be repeated: rows that have left are not there, and rows that changed stay and leave with a later segment. */
async function removeRows(
  { knex, key, rest }: Pick<ArchiverDependencies, 'knex' | 'key' | 'rest'>,
  bytes: Buffer,
): Promise<void> {
  const batch = createBatch(async (kind, lines) => {
    const startedMs = performance.now();
    await recordAtOnce(knex, (trx) => removers[kind](trx, key, lines));
    await rest(performance.now() - startedMs);
  });
  for await (const text of linesOf(bytes)) await batch.add(text);
  await batch.end();
}

type Kind = Line['kind'];

interface Read<Kind extends Line = Line> {
  text: string;
  line: Kind;
}

const removers: Readonly<
  Record<Kind, (trx: Knex.Transaction, key: LedgerKey, lines: readonly Read[]) => Promise<unknown>>
> = {
  request: (trx, _key, lines) =>
    removeArchived(
      trx,
      'requests',
      new Map((lines as Read<RequestLine>[]).map(({ text, line }) => [line.request.id, text])),
    ),
  inbound: (trx, _key, lines) =>
    removeArchived(
      trx,
      'inbound',
      new Map((lines as Read<InboundLine>[]).map(({ text, line }) => [line.message.id, text])),
    ),
  ledger: async (trx, key, lines) => {
    for (const { line } of lines as Read<LedgerLine>[]) await cutLedger(trx, key, line.range, line.statement);
  },
};

/** Lines of one kind whose rows are deleted together. */
function createBatch(remove: (kind: Kind, lines: readonly Read[]) => Promise<void>) {
  let [open, weight] = [[] as Read[], 0];
  const close = async () => {
    const [first] = open;
    const lines = open;
    [open, weight] = [[], 0];
    if (first !== undefined) await remove(first.line.kind, lines);
  };
  return {
    add: async (text: string) => {
      const line: Line = JSON.parse(text);
      if (open[0] !== undefined && open[0].line.kind !== line.kind) await close();
      open.push({ text, line });
      weight += weightOf(line);
      if (weight >= messagesTogether) await close();
    },
    end: close,
  };
}

function weightOf(line: Line): number {
  if (line.kind === 'request') return line.messages.length;
  return line.kind === 'ledger' ? line.statement.entries.length : 1;
}
