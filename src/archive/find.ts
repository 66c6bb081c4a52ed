/** Finds requests, what was paid for them, and messages of phones in an archive, reading only the segments that may have them. */
import { ArchiveFault, lineIn, readLines } from './read-segment.ts';
import { type InboundLine, type Manifest, manifestIn, type RequestLine } from './segment.ts';
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

/** An entry has the time of day at which it was written, the others have that at which their transaction began. */
const slackMs = 60_000;

/** The manifests of an archive, in order. */
export async function* readManifests(store: ArchiveStore): AsyncGenerator<Manifest> {
  for (const name of (await store.names()).filter((name) => /^[0-9]{8}\.json$/.test(name)).sort()) {
    const manifest = manifestIn(String(await store.read(name)));
    if (manifest === undefined) throw new ArchiveFault(`${name} is not a manifest`);
    yield manifest;
  }
}

/**
 * Lines in the order in which they left, and then what was paid for the requests among them: a line of the kind `entry`
 * for each entry of a ledger. A request that changed while it left is there twice: the later one counts.
 */
export async function* findInArchive(store: ArchiveStore, wanted: Wanted): AsyncGenerator<string> {
  const named = wanted.requestId ?? wanted.phone ?? '';
  const found = new Map<string, RequestLine>();
  for await (const manifest of readManifests(store)) {
    if (!mayHave(manifest, wanted)) continue;
    for await (const text of readLines(store, manifest)) {
      if (!text.includes(named)) continue;
      const line = lineIn(text, manifest);
      if (line.kind === 'ledger' || !matches(line, wanted)) continue;
      if (line.kind === 'request') found.set(line.request.id, line);
      yield text;
    }
  }
  if (found.size > 0) yield* findEntries(store, found);
}

/** Those of requests: from the debit of the first one to the last time when a message was refunded. */
async function* findEntries(
  store: ArchiveStore,
  requests: ReadonlyMap<string, RequestLine>,
): AsyncGenerator<string> {
  const teams = new Set<string>();
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { request, messages } of requests.values()) {
    teams.add(request.team_id);
    const times = [request.created_at, ...messages.map(({ final_at }) => final_at)].map((at) =>
      Date.parse(at),
    );
    first = Math.min(first, ...times);
    last = Math.max(last, ...times);
  }
  const period = {
    from: new Date(first - slackMs).toISOString(),
    to: new Date(last + slackMs).toISOString(),
  };
  for await (const manifest of readManifests(store)) {
    const { rows, from, through } = manifest;
    if (rows.ledgerEntries === 0 || !manifest.teams.some((team) => teams.has(team))) continue;
    if (!overlaps(from, through, period)) continue;
    for await (const text of readLines(store, manifest)) {
      if (!text.startsWith('{"kind":"ledger"')) continue;
      const line = lineIn(text, manifest);
      if (line.kind !== 'ledger') continue;
      const { opening: _, closing: __, format: ___, entries, ...account } = line.statement;
      for (const entry of entries)
        if (requests.has(entry.requestId ?? ''))
          yield JSON.stringify({ kind: 'entry', ...account, ...entry });
    }
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

function matches(line: RequestLine | InboundLine, wanted: Wanted): boolean {
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
