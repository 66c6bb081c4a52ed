/** Moves old rows into the archive: writes a segment, notes it, and only then deletes what it holds. */
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { LedgerKey } from '../ledger/confirmation.ts';
import { cutLedger } from '../ledger/cut-repository.ts';
import { recordAtOnce } from '../platform/isolation/record.ts';
import { type GatherDependencies, gather, messagesTogether, type Places } from './gather.ts';
import { markOwn, requireKnown } from './known-store.ts';
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
  forgetSegment,
  type Identity,
  insertSegment,
  isDue,
  type Lease,
  lastSegments,
  noteCaughtUp,
  noteLeaving,
  noteLeft,
  replaceSegment,
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

  /** `lost`: what the store no longer has of the segment that was noted last. */
  const write = async (
    identity: Identity,
    settled: StoredSegment | undefined,
    lost?: StoredSegment,
  ): Promise<boolean> => {
    await rewind(knex);
    const segment = createSegment();
    const { full, places } = await gather(working, segment);
    const number = (settled?.manifest.number ?? 0) + 1;
    const previous = settled === undefined ? null : sha256(settled.text);
    const made = await segment.end({ database: identity.database, number, previous });
    if (made !== undefined) {
      // Written by a database that this one is an old copy of: nothing of it is replaced.
      const there = await store.read(manifestName(number));
      if (there !== undefined && there.toString() !== lost?.text)
        throw new ArchiveFault(
          `segment ${number} is in the archive (${store.url}) and not known to the database: see docs/archive.md`,
        );
      if (settled === undefined && lost === undefined) await markOwn(store, identity);
      await store.write(made.manifest.file, made.bytes);
      // What a store has lost or damaged at once is written again: nobody knows of it yet.
      await readSegment(store, made.manifest);
      await lease();
      const noted =
        lost === undefined
          ? await insertSegment(knex, made.manifest)
          : await replaceSegment(knex, lost, made.manifest);
      if (!noted) return false;
      written = { number, places };
    } else {
      await keepAll(knex, places);
      if (lost !== undefined) await forgetSegment(knex, lost);
    }
    if (!full) await noteCaughtUp(knex);
    return made !== undefined;
  };

  /** Undefined: the store has lost the segment, and all its rows are here. */
  const readAgain = async ({ manifest, leavingAt }: StoredSegment): Promise<Buffer | undefined> => {
    try {
      return await readSegment(store, manifest);
    } catch (error) {
      if (!(error instanceof ArchiveFault)) throw error;
      if (leavingAt === null) return undefined;
      throw new ArchiveFault(
        `${error.message}. Rows of it have left the database: restore the file, or see "A lost archive" in docs/archive.md`,
      );
    }
  };

  /** `bytes`: nothing is deleted that could not be read again from the archive. */
  const finish = async (segment: StoredSegment, bytes: Buffer): Promise<void> => {
    const { number } = segment.manifest;
    await store.write(manifestName(number), Buffer.from(segment.text));
    if (!(await noteLeaving(knex, segment))) return;
    await removeRows(working, bytes);
    if (written?.number === number) await keepAll(knex, written.places);
    await noteLeft(knex, number);
  };

  const go = async (taken: Lease): Promise<boolean> => {
    const { open, settled } = await lastSegments(knex);
    if (open === undefined && !taken.due) return false;
    await requireKnown(store, taken, { open, settled });
    if (open === undefined) return write(taken, settled);
    const bytes = await readAgain(open);
    if (bytes !== undefined) await finish(open, bytes);
    else await write(taken, settled, open);
    return true;
  };

  return {
    step: async () => {
      if (!(await isDue(knex))) return false;
      const taken = await takeLease(knex, holder);
      if (taken === undefined) return false;
      try {
        return await go(taken);
      } catch (error) {
        if (error instanceof Interrupted) return false;
        throw error;
      }
    },
    end: () => endLease(knex, holder),
  };
}

/** Ends the step; the next holder of the lease does what is left. */
class Interrupted extends Error {}

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
