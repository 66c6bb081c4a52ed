/** The form of an archive: numbered segments of gzipped NDJSON, each with a manifest that confirms it and the one before. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import type { Statement } from '../ledger/statement.ts';

const archiveFormat = 'tarishi-archive-1';

/** Rows of a segment by what they are. */
export interface RowCounts {
  requests: number;
  messages: number;
  messageParts: number;
  receipts: number;
  inboundMessages: number;
  ledgerEntries: number;
}

/** Says what a segment holds, in a file beside it. */
export interface Manifest {
  format: typeof archiveFormat;
  /** The database that the rows are from. */
  database: string;
  /** 1 for the first. */
  number: number;
  /** SHA-256 of the text of the manifest before it, in hex; null for the first. */
  previous: string | null;
  file: string;
  /** Of the file, in hex. */
  sha256: string;
  bytes: number;
  rows: RowCounts;
  teams: string[];
  /** When the oldest and the newest request, message of a phone or ledger entry was stored. */
  from: string;
  through: string;
  /** The least and the greatest id of its requests; null if it has none. */
  requestIds: readonly [string, string] | null;
}

/** A request with all that belongs to it, as the tables had it. */
export interface RequestLine {
  kind: 'request';
  request: { id: string; team_id: string; created_at: string };
  messages: { id: number; phone: string; final_at: string }[];
  parts: object[];
  receipts: object[];
}

/** What a phone sent, with the receipt that posted it. */
export interface InboundLine {
  kind: 'inbound';
  message: { id: string; team_id: string; phone: string; received_at: string };
  receipts: object[];
}

/** The entries of a seal, as a statement that anybody can verify; with their place in the tables. */
export interface LedgerLine {
  kind: 'ledger';
  range: { accountId: string; number: number; afterId: string; throughId: string };
  statement: Statement;
}

export type Line = RequestLine | InboundLine | LedgerLine;

/** Of one line. */
export interface LineFacts {
  team: string;
  rows: Partial<RowCounts>;
  /** In UTC, as in `2027-01-31T09:30:00.123456Z`. */
  from: string;
  through: string;
  requestId?: string;
}

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

export const manifestName = (number: number): string => `${String(number).padStart(8, '0')}.json`;

/** Names its content, so that a process that was paused cannot replace what another one has written. */
const segmentName = (number: number, hash: string) =>
  `${String(number).padStart(8, '0')}-${hash.slice(0, 16)}.ndjson.gz`;

export const noRows: RowCounts = {
  requests: 0,
  messages: 0,
  messageParts: 0,
  receipts: 0,
  inboundMessages: 0,
  ledgerEntries: 0,
};

const compress = promisify(gzip);
/** Compressed together. */
const memberLength = 1_000_000;

export interface SegmentWriter {
  add: (line: string, facts: LineFacts) => Promise<void>;
  /** So far, and held in memory: compressed, but for what was added last. */
  bytes: () => number;
  /** Undefined: there are no lines. */
  end: (about: Pick<Manifest, 'database' | 'number' | 'previous'>) => Promise<Segment | undefined>;
}

export interface Segment {
  bytes: Buffer;
  manifest: Manifest;
}

export function createSegment(): SegmentWriter {
  const members: Buffer[] = [];
  const teams = new Set<string>();
  const rows = { ...noRows };
  let [open, openLength, closedBytes] = [[] as string[], 0, 0];
  let [from, through] = ['', ''];
  let ids: readonly [string, string] | null = null;
  /** One is compressed beside what goes on here. */
  let compressing = Promise.resolve();
  const close = async () => {
    const [text, length] = [`${open.join('\n')}\n`, openLength];
    [open, openLength, closedBytes] = [[], 0, closedBytes + length];
    await compressing;
    compressing = compress(text).then((member) => {
      members.push(member);
      closedBytes += member.length - length;
    });
  };
  return {
    bytes: () => closedBytes + openLength,
    add: async (line, facts) => {
      if (line.length > longestLine)
        throw new Error(`a line of ${line.length} characters is too long for an archive`);
      open.push(line);
      openLength += line.length;
      teams.add(facts.team);
      for (const [name, count] of Object.entries(facts.rows)) rows[name as keyof RowCounts] += count;
      if (from === '' || facts.from < from) from = facts.from;
      if (facts.through > through) through = facts.through;
      const { requestId: id } = facts;
      if (id !== undefined)
        ids = ids === null ? [id, id] : [id < ids[0] ? id : ids[0], id > ids[1] ? id : ids[1]];
      if (openLength >= memberLength) await close();
    },
    end: async (about) => {
      if (from === '') return undefined;
      if (openLength > 0) await close();
      await compressing;
      const bytes = Buffer.concat(members);
      const hash = sha256(bytes);
      return {
        bytes,
        manifest: {
          format: archiveFormat,
          ...about,
          file: segmentName(about.number, hash),
          sha256: hash,
          bytes: bytes.length,
          rows,
          teams: [...teams].sort(),
          from,
          through,
          requestIds: ids,
        },
      };
    },
  };
}

export const textOf = (manifest: Manifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

const hashForm = /^[0-9a-f]{64}$/;
const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isTime = (value: unknown) => isText(value) && !Number.isNaN(Date.parse(value));

/** Others may be able to write to an archive: each field is looked at before anything relies on it. */
const fields: { readonly [Field in keyof Manifest]: (value: unknown, manifest: Manifest) => boolean } = {
  format: (format) => format === archiveFormat,
  database: isText,
  number: (number) => isCount(number) && number !== 0,
  previous: (previous) => previous === null || (isText(previous) && hashForm.test(previous)),
  // A path would lead out of the archive.
  file: (file, { number, sha256: hash }) => file === segmentName(number, hash),
  sha256: (hash) => isText(hash) && hashForm.test(hash),
  bytes: isCount,
  rows: (rows) =>
    Object.keys(noRows).every((name) => isCount((rows as RowCounts)?.[name as keyof RowCounts])),
  teams: (teams) => Array.isArray(teams) && teams.every(isText),
  from: isTime,
  through: isTime,
  requestIds: (ids) =>
    ids === null ||
    (Array.isArray(ids) && ids.length === 2 && ids.every((id) => isText(id) && idForm.test(id))),
};

/** Undefined: the text is no manifest. */
export function manifestIn(text: string): Manifest | undefined {
  try {
    const manifest: Manifest | null = JSON.parse(text);
    const isOne =
      manifest !== null &&
      // The name of the file is made of the number and the hash.
      Object.entries(fields).every(([name, is]) => is(manifest[name as keyof Manifest], manifest));
    return isOne ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** Many times the longest that is written, in characters: a request with a hundred messages, or a thousand ledger entries. */
const longestLine = 32_000_000;

/** Rejects when the bytes are not those of a segment. */
export async function* linesOf(bytes: Buffer, longest = longestLine): AsyncGenerator<string> {
  const unpacked = createGunzip().setEncoding('utf8');
  unpacked.end(bytes);
  let [open, length] = [[] as string[], 0];
  for await (const part of unpacked) {
    const [first = '', ...others] = (part as string).split('\n');
    open.push(first);
    length += first.length;
    if (length > longest) throw new Error(`a line of it is longer than ${longest} characters`);
    const last = others.pop();
    if (last === undefined) continue;
    yield open.join('');
    yield* others;
    [open, length] = [[last], last.length];
  }
  if (length > 0) yield open.join('');
}
