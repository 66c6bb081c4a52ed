/** Finds requests and messages of phones in an archive, reading only the segments that may have them. */
import { ArchiveFault, readSegment } from './read-segment.ts';
import { type Line, linesOf, type Manifest, manifestIn } from './segment.ts';
import type { ArchiveStore } from './store.ts';

export interface Wanted {
  requestId?: string | undefined;
  /** The number as the rows have it: a keyed hash. */
  phone?: string | undefined;
  team?: string | undefined;
  /** RFC 3339: stored then or later. */
  from?: string | undefined;
  /** RFC 3339: stored before. */
  to?: string | undefined;
}

/** The manifests of an archive, in order. */
export async function* readManifests(store: ArchiveStore): AsyncGenerator<Manifest> {
  for (const name of (await store.names()).filter((name) => /^[0-9]{8}\.json$/.test(name)).sort()) {
    const manifest = manifestIn(String(await store.read(name)));
    if (manifest === undefined) throw new ArchiveFault(`${name} is not a manifest`);
    yield manifest;
  }
}

/** Lines, in the order in which they left. A request that changed while it left is there twice: the later one counts. */
export async function* findInArchive(store: ArchiveStore, wanted: Wanted): AsyncGenerator<string> {
  for await (const manifest of readManifests(store)) {
    if (!mayHave(manifest, wanted)) continue;
    const named = wanted.requestId ?? wanted.phone ?? '';
    for await (const text of linesOf(await readSegment(store, manifest)))
      if (text.includes(named) && matches(JSON.parse(text), wanted)) yield text;
  }
}

function mayHave({ requestIds, teams, from, through }: Manifest, wanted: Wanted): boolean {
  const { requestId: id, team } = wanted;
  if (id !== undefined && (requestIds === null || id < requestIds[0] || id > requestIds[1])) return false;
  if (team !== undefined && !teams.includes(team)) return false;
  return overlaps(from, through, wanted);
}

function overlaps(first: string, last: string, { from, to }: Wanted): boolean {
  return (
    (from === undefined || new Date(last) >= new Date(from)) &&
    (to === undefined || new Date(first) < new Date(to))
  );
}

function matches(line: Line, wanted: Wanted): boolean {
  if (line.kind === 'ledger') return false;
  const { requestId, phone, team } = wanted;
  const [row, at, messages] =
    line.kind === 'request'
      ? [line.request, line.request.created_at, line.messages]
      : [line.message, line.message.received_at, [line.message]];
  return (
    (requestId === undefined || (line.kind === 'request' && row.id === requestId)) &&
    (phone === undefined || messages.some((message) => message.phone === phone)) &&
    (team === undefined || row.team_id === team) &&
    overlaps(at, at, wanted)
  );
}
