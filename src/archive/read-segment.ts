/** Reads a segment as it was written, or not at all. */
import { isStatement } from '../ledger/statement.ts';
import { type Line, linesOf, type Manifest, sha256 } from './segment.ts';
import type { ArchiveStore } from './store.ts';

/** What is wrong with the archive itself: rows stay until an operator has seen to it. */
export class ArchiveFault extends Error {
  override readonly name = 'ArchiveFault';
}

/** Compressed, a few megabytes. Throws an ArchiveFault if the file is missing or was altered. */
export async function readSegment(
  store: ArchiveStore,
  { number, file, sha256: hash }: Manifest,
): Promise<Buffer> {
  const bytes = await store.read(file);
  if (bytes === undefined) throw new ArchiveFault(`segment ${number} is missing: there is no ${file}`);
  if (sha256(bytes) !== hash) throw new ArchiveFault(`${file} was altered`);
  return bytes;
}

/** Throws an ArchiveFault, also in the middle: somebody who can write to the archive may have written both file and manifest. */
export async function* readLines(store: ArchiveStore, manifest: Manifest): AsyncGenerator<string> {
  const bytes = await readSegment(store, manifest);
  try {
    yield* linesOf(bytes);
  } catch (error) {
    throw new ArchiveFault(`${manifest.file} is not a segment: ${(error as Error).message}`);
  }
}

/** Throws an ArchiveFault if the text is not a line of a segment. */
export function lineIn(text: string, { file }: Pick<Manifest, 'file'>): Line {
  try {
    const line = JSON.parse(text);
    if (isLine(line)) return line;
  } catch {}
  throw new ArchiveFault(`${file} is not a segment: it has a line that is neither rows nor entries`);
}

/** As far as commands rely on it. */
function isLine(line: Line): boolean {
  if (line.kind === 'ledger') return isText(line.range.accountId) && isStatement(line.statement);
  if (line.kind === 'inbound')
    return isRow(line.message, line.message.received_at) && isText(line.message.phone);
  const { kind, request, messages } = line;
  const areMessages = messages.every(({ phone, final_at }) => isText(phone) && isText(final_at));
  return kind === 'request' && isRow(request, request.created_at) && areMessages;
}

const isRow = ({ id, team_id }: { id: string; team_id: string }, at: string) =>
  [id, team_id, at].every(isText);
const isText = (value: unknown) => typeof value === 'string';
