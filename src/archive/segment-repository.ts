/** What the database knows of its archive: the segments that were written, and who archives now. */
import type { Knex } from 'knex';
import { type Manifest, manifestIn, textOf } from './segment.ts';

const leaseSeconds = 120;
const roundSeconds = 3_600;

/** Of the database and its archive, which both know. */
export interface Identity {
  /** Names the database. */
  database: string;
  /** Names the archive. */
  store: string;
}

export interface Lease extends Identity {
  /** Whether the time for a next round has come. */
  due: boolean;
}

/** Whether there is anything to do: an idle service writes nothing. */
export async function isDue(knex: Knex): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: [{ due: boolean }] }>(
    `select next_round_at <= service_now() or exists (select from archive_segments where left_at is null) as due
     from archive`,
  );
  return rows[0].due;
}

/** Takes the archive for two minutes, or for two more. Undefined: another process has it. */
export async function takeLease(knex: Knex, holder: string): Promise<Lease | undefined> {
  const { rows } = await knex.raw<{ rows: Lease[] }>(
    `update archive set holder = :holder::uuid, held_until = service_now() + interval '${leaseSeconds} s'
     where holder = :holder::uuid or held_until <= service_now()
     returning database, store, next_round_at <= service_now() as due`,
    { holder },
  );
  return rows[0];
}

export async function endLease(knex: Knex, holder: string): Promise<void> {
  await knex('archive')
    .where({ holder })
    .update({ held_until: knex.raw('service_now()') });
}

/** All that was due has left, or has been written to its last segment: the next round is in an hour. */
export async function noteCaughtUp(knex: Knex): Promise<void> {
  await knex.raw(
    `update archive set caught_up_at = service_now(), next_round_at = service_now() + interval '${roundSeconds} s'`,
  );
}

/** Since all that was due had left. */
export async function secondsBehind(knex: Knex): Promise<number> {
  const { rows } = await knex.raw<{ rows: [{ seconds: number }] }>(
    'select greatest(0, extract(epoch from service_now() - caught_up_at))::float8 as seconds from archive',
  );
  return rows[0].seconds;
}

export async function readIdentity(knex: Knex): Promise<Identity> {
  return knex('archive').first('database', 'store');
}

/** An archive that has the former name is none any more. */
export async function renameStore(knex: Knex): Promise<Identity> {
  const [identity] = await knex('archive').update({ store: knex.raw('gen_random_uuid()') }, [
    'database',
    'store',
  ]);
  return identity;
}

/** What a worker says is wrong with its archive holds for so long; it is said again before. */
const faultSeconds = 90;

export async function noteFault(knex: Knex, fault: string): Promise<void> {
  await knex('archive').update({ fault, fault_at: knex.raw('service_now()') });
}

/** What a worker has noted lately. */
export async function notedFault(knex: Knex): Promise<string | undefined> {
  const { rows } = await knex.raw<{ rows: { fault: string }[] }>(
    `select fault from archive where fault_at > service_now() - interval '${faultSeconds} s'`,
  );
  return rows[0]?.fault;
}

export interface StoredSegment {
  /** Byte for byte as in the archive. */
  text: string;
  manifest: Manifest;
  /** Null: all its rows are still in the database. */
  leavingAt: Date | null;
  /** Null: rows of it may still be in the database. */
  leftAt: Date | null;
}

const columns = ['manifest as text', 'leaving_at as leavingAt', 'left_at as leftAt'];

type Row = Omit<StoredSegment, 'manifest'>;

/** What the service has not written is not relied on. */
function stored(row: Row): StoredSegment[] {
  const manifest = manifestIn(row.text);
  return manifest === undefined ? [] : [{ ...row, manifest }];
}

export interface LastSegments {
  /** The one that was noted last, if rows of it may still be here. */
  open: StoredSegment | undefined;
  /** The last one whose rows have left. */
  settled: StoredSegment | undefined;
}

export async function lastSegments(knex: Knex): Promise<LastSegments> {
  const rows = await knex('archive_segments').orderBy('number', 'desc').limit(2).select<Row[]>(columns);
  const [last, before] = rows.flatMap(stored);
  return last?.leftAt === null ? { open: last, settled: before } : { open: undefined, settled: last };
}

const segmentsAtOnce = 500;

/** From the first on. */
export async function* readSegments(knex: Knex): AsyncGenerator<StoredSegment> {
  let after = 0;
  for (;;) {
    const rows = await knex('archive_segments')
      .where('number', '>', after)
      .orderBy('number')
      .limit(segmentsAtOnce)
      .select<Row[]>(columns);
    const segments = rows.flatMap(stored);
    yield* segments;
    const last = segments.at(-1);
    if (last === undefined || rows.length < segmentsAtOnce) return;
    after = last.manifest.number;
  }
}

/** From now on its rows may be deleted. False: another process has written a segment of this number. */
export async function insertSegment(knex: Knex, manifest: Manifest): Promise<boolean> {
  const rows = await knex('archive_segments')
    .insert({ number: manifest.number, ...rowOf(manifest) })
    .onConflict()
    .ignore()
    .returning('number');
  return rows.length > 0;
}

/** The same in the place of one that the store has lost and whose rows are all here. */
export async function replaceSegment(knex: Knex, lost: StoredSegment, manifest: Manifest): Promise<boolean> {
  return (await unmoved(knex, lost).update(rowOf(manifest))) > 0;
}

/** Nothing of it is to leave any more. */
export async function forgetSegment(knex: Knex, lost: StoredSegment): Promise<void> {
  await unmoved(knex, lost).delete();
}

const unmoved = (knex: Knex, { manifest: { number }, text }: StoredSegment) =>
  knex('archive_segments').where({ number, manifest: text, leaving_at: null });

function rowOf(manifest: Manifest) {
  const { file, teams, requestIds } = manifest;
  const [first_request_id, last_request_id] = requestIds ?? [null, null];
  return { file, manifest: textOf(manifest), teams, first_request_id, last_request_id };
}

/** From now on rows of it may be missing here. False: it is not noted any more as it was. */
export async function noteLeaving(
  knex: Knex,
  { manifest: { number }, text }: StoredSegment,
): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: object[] }>(
    `update archive_segments set leaving_at = coalesce(leaving_at, service_now()) where number = ? and manifest = ?
     returning number`,
    [number, text],
  );
  return rows.length > 0;
}

export async function noteLeft(knex: Knex, number: number): Promise<void> {
  await knex('archive_segments')
    .where({ number, left_at: null })
    .update({ left_at: knex.raw('service_now()') });
}

/** The segment that a request with this id would be in, if there was one; `team`: only if it has rows of the team. */
export async function segmentAround(
  knex: Knex,
  requestId: string,
  team: string | undefined,
): Promise<number | undefined> {
  const { rows } = await knex.raw<{ rows: { number: string }[] }>(
    `select number from archive_segments
     where first_request_id <= :requestId::uuid and last_request_id >= :requestId::uuid
       and (:team::text is null or :team = any(teams))
     order by first_request_id desc limit 1`,
    { requestId, team: team ?? null },
  );
  return rows[0] && Number(rows[0].number);
}
