/** Stores tables of ported numbers: their parts at once, read in the background, and in use as a whole when all are read. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Knex } from 'knex';
import {
  addFaulty,
  type FaultyLine,
  faultyValues,
  isWritten,
  linesOf,
  type PartOutcome,
  storeOnce,
} from '../import-parts-repository.ts';
import { type Channel, channelFinder } from './channels.ts';
import type { PhoneParser } from './parse.ts';
import {
  createPacking,
  decoded,
  encoded,
  merged,
  noNumbers,
  type PackedNumbers,
  type PortedNumbers,
  packed,
  sortedNumbers,
} from './ported.ts';
import { formatOf, readLine } from './ported-lines.ts';

export interface NewPortedImport {
  /** Its name, which is unique. */
  id: string;
  numberColumn: string;
  channelColumn: string;
  /** Channels by what the table writes for them; what it lacks are names of channels. */
  codes: Readonly<Record<string, string>>;
  parts: number;
}

/** How far an import is. */
export interface PortedImport extends Omit<NewPortedImport, 'codes'> {
  /** Of its parts, those that have come. */
  received: number;
  /** Lines that are not empty, without the first one, and those of them that were read. */
  lines: number;
  read: number;
  /** Lines without a valid number or a known network. */
  invalid: number;
  /** The first 100 of them. */
  problems: readonly FaultyLine[];
  /** Null until it is in use. */
  numbers: number | null;
  usedSince: Date | null;
  createdAt: Date;
}

const numbersPerRow = 4_096;
const rowsPerStatement = 50;

/** In a transaction. `header`: the first line of the table, with its first part. */
export async function storePortedPart(
  trx: Knex.Transaction,
  { id, numberColumn, channelColumn, codes, parts }: NewPortedImport,
  { part, lines, header }: { part: number; lines: string; header: string | undefined },
): Promise<PartOutcome> {
  const file = {
    name: id,
    number_column: numberColumn,
    channel_column: channelColumn,
    codes: JSON.stringify(codes),
    parts,
  };
  const channels = trx.raw(`(select coalesce(jsonb_agg(name order by position, name), '[]') from channels)`);
  return storeOnce(trx, 'ported', { file, added: { channels }, part, text: lines }, async (columns) => {
    await trx('ported_import_parts').insert({ ...columns, lines });
    const written = linesOf(lines).filter(isWritten).length;
    await trx('ported_imports')
      .where({ id: columns.import_id })
      .increment('lines', header === undefined ? written : written - 1)
      .update({ went_on_at: trx.raw('service_now()'), ...(header === undefined ? {} : { header }) });
  });
}

export interface PortedDependencies {
  knex: Knex;
  parsePhone: PhoneParser;
}

/** Reads a part, or brings a table into use; returns whether there may be more. Killed anywhere, the next call does it again. */
export async function readPortedImports(dependencies: PortedDependencies): Promise<boolean> {
  return (await readPart(dependencies)) || (await useWhole(dependencies.knex));
}

interface Unread {
  importId: string;
  part: number;
  lines: string;
  header: string;
  number: string;
  channel: string;
  codes: Record<string, string>;
  channels: string[];
}

/** A part that others read at the same time is left to them. */
async function readPart({ knex, parsePhone }: PortedDependencies): Promise<boolean> {
  return knex.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: Unread[] }>(
      `select p.import_id as "importId", p.part, p.lines, i.header, i.number_column as number,
         i.channel_column as channel, i.codes, i.channels
       from ported_import_parts p join ported_imports i on i.id = p.import_id
       where p.lines is not null and i.header is not null
       order by p.import_id, p.part limit 1 for update of p skip locked`,
    );
    const [unread] = rows;
    if (unread === undefined) return false;
    const { table, read, problems } = readUnread(unread, parsePhone);
    const { importId, part } = unread;
    await trx('ported_import_parts')
      .where({ import_id: importId, part })
      .update({ lines: null, octets: encoded(table) });
    await trx.raw(
      `update ported_imports set read = read + :read, went_on_at = service_now(), ${addFaulty}
       where id = :importId`,
      {
        importId,
        read,
        ...faultyValues(problems),
      },
    );
    return true;
  });
}

function readUnread(
  { part, lines, header, number, channel, codes, channels }: Unread,
  parsePhone: PhoneParser,
) {
  const format = formatOf(header, { number, channel });
  const places = new Map(channels.map((name, place) => [name, place]));
  for (const [code, name] of Object.entries(codes)) places.set(code, places.get(name) ?? 0);
  const rows: [number: number, channel: number][] = [];
  const problems: FaultyLine[] = [];
  let read = 0;
  let isHeader = part === 1;
  for (const [place, line] of linesOf(lines).entries()) {
    if (!isWritten(line)) continue;
    if (isHeader) {
      isHeader = false;
      continue;
    }
    read += 1;
    const found = readLine(line, format, parsePhone);
    const channelPlace = found && places.get(found.network);
    if (found === undefined || channelPlace === undefined) problems.push({ part, line: place + 1 });
    else rows.push([found.number, channelPlace]);
  }
  return { table: sortedNumbers(rows), read, problems };
}

interface Whole {
  id: string;
  parts: number;
}

/** Once all parts of an import are read. */
async function useWhole(knex: Knex): Promise<boolean> {
  const { rows } = await knex.raw<{ rows: Whole[] }>(
    `select id::text, parts from ported_imports i
     where used_since is null and parts = (
       select count(*) from ported_import_parts where import_id = i.id and lines is null)
     order by id limit 1`,
  );
  const [whole] = rows;
  if (whole === undefined) return false;
  const table = await mergedParts(knex, whole);
  if (table === undefined) return true;
  await knex.transaction(async (trx) => {
    const used = await trx('ported_imports')
      .where({ id: whole.id, used_since: null })
      .update({ numbers: table.numbers.length, used_since: trx.raw('service_now()') });
    // Another process was faster.
    if (used === 0) return;
    await storeNumbers(trx, whole.id, table);
    await trx('ported_import_parts').where({ import_id: whole.id }).delete();
    // What is older than the newest in use.
    await trx.raw(`delete from ported_numbers where import_id < (${inUse('id')})`);
    await trx.raw(`delete from ported_import_parts where import_id < (${inUse('id')})`);
    await trx.raw(`delete from ported_imports where id < (${inUse('id')})`);
  });
  return true;
}

/**
 * In their order, so that the last line of a number counts. Others get their turn between two steps. Undefined: another process
 * has brought it into use.
 */
async function mergedParts(knex: Knex, { id, parts }: Whole): Promise<PortedNumbers | undefined> {
  let tables: PortedNumbers[] = [];
  for (let first = 1; first <= parts; first += rowsPerStatement) {
    const some: { octets: Uint8Array }[] = await knex('ported_import_parts')
      .where({ import_id: id })
      .whereBetween('part', [first, first + rowsPerStatement - 1])
      .orderBy('part')
      .select('octets');
    tables.push(...some.map(({ octets }) => decoded(octets)));
  }
  if (tables.length < parts) return undefined;
  while (tables.length > 1) {
    const next: PortedNumbers[] = [];
    for (let place = 0; place < tables.length; place += 2) {
      next.push(merged(tables[place] ?? noNumbers, tables[place + 1] ?? noNumbers));
      await othersFirst();
    }
    tables = next;
  }
  return tables[0] ?? noNumbers;
}

async function storeNumbers(
  trx: Knex.Transaction,
  id: string,
  { numbers, channels }: PortedNumbers,
): Promise<void> {
  for (let start = 0; start < numbers.length; start += numbersPerRow * rowsPerStatement) {
    const rows = [];
    const end = Math.min(numbers.length, start + numbersPerRow * rowsPerStatement);
    for (let from = start; from < end; from += numbersPerRow) {
      const some = {
        numbers: numbers.subarray(from, Math.min(end, from + numbersPerRow)),
        channels: channels.subarray(from, Math.min(end, from + numbersPerRow)),
      };
      rows.push({
        import_id: id,
        first_number: some.numbers[0],
        last_number: some.numbers.at(-1),
        octets: encoded(some),
      });
    }
    await trx('ported_numbers').insert(rows);
  }
}

/** SQL: of the table in use. */
const inUse = (columns: string) =>
  `select ${columns} from ported_imports where used_since is not null order by id desc limit 1`;

export interface PortedTable extends PackedNumbers {
  /** Of its import; undefined: no table is in use. */
  id: string | undefined;
  /** Names, by their places. */
  names: readonly string[];
}

export const noTable: PortedTable = { id: undefined, names: [], ...packed(noNumbers) };

/** What is in use; the same object as before if nothing has changed. Undefined: another one came into use meanwhile. */
export async function loadPorted(knex: Knex, before: PortedTable): Promise<PortedTable | undefined> {
  const { rows } = await knex.raw<{ rows: { id: string; numbers: number; channels: string[] }[] }>(
    inUse('id::text, numbers, channels'),
  );
  const [used] = rows;
  if (used?.id === before.id) return before;
  if (used === undefined) return noTable;
  const { id, numbers, channels: names } = used;
  const packing = createPacking(numbers);
  let last = -1;
  for (;;) {
    const some = await rowsBehind(knex, id, last, rowsPerStatement);
    for (const { octets } of some) packing.add(decoded(octets));
    last = Number(some.at(-1)?.last ?? last);
    if (some.length < rowsPerStatement) break;
  }
  return packing.isFull() ? { id, names, ...packing.packed() } : undefined;
}

async function rowsBehind(
  knex: Knex,
  id: string,
  last: number,
  limit: number,
): Promise<{ octets: Uint8Array; last: string }[]> {
  const { rows } = await knex.raw<{ rows: { octets: Uint8Array; last: string }[] }>(
    `select octets, last_number::text as last from ported_numbers
     where import_id = ? and first_number > ? order by first_number limit ?`,
    [id, last, limit],
  );
  return rows;
}

/** The names of the channels of those of the numbers that are ported, for a few: they are looked up in the database. */
export async function portedChannels(knex: Knex, phones: readonly string[]): Promise<Map<string, string>> {
  if (phones.length === 0) return new Map();
  const { rows } = await knex.raw<{ rows: { phone: string; octets: Uint8Array; channels: string[] }[] }>(
    `with used as (${inUse('id, channels')})
     select phone, octets, channels from used, unnest(?::text[]) as phone
       join lateral (
         select octets from ported_numbers where import_id = used.id and first_number <= substr(phone, 2)::bigint
         order by first_number desc limit 1
       ) as near on true`,
    [[...phones]],
  );
  return new Map(
    rows.flatMap(({ phone, octets, channels }) => {
      const near = decoded(octets);
      const place = near.channels[near.numbers.indexOf(Number(phone.slice(1)))];
      const name = place === undefined ? undefined : channels[place];
      return name === undefined ? [] : [[phone, name] as const];
    }),
  );
}

/** Finds the channel of each of these few numbers. */
export async function presentChannels(
  knex: Knex,
  channels: readonly Channel[],
  phones: readonly string[],
): Promise<(e164: string) => Channel | undefined> {
  const byPrefix = channelFinder(channels);
  const ported = await portedChannels(knex, phones);
  return (phone) => {
    const name = ported.get(phone);
    return name === undefined ? byPrefix(phone) : channels.find((channel) => channel.name === name);
  };
}

export interface PortedNumber {
  phone: string;
  channel: string;
}

/** In the order of the numbers, behind `after`. */
export async function listPorted(
  knex: Knex,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<PortedNumber[]> {
  const from = Number(after?.slice(1) ?? 0);
  const { rows } = await knex.raw<{ rows: { octets: Uint8Array; channels: string[] }[] }>(
    `with used as (${inUse('id, channels')})
     select octets, channels from used join ported_numbers n on n.import_id = used.id
     where last_number > ? order by first_number limit ?`,
    [from, Math.ceil(limit / numbersPerRow) + 1],
  );
  const found: PortedNumber[] = [];
  for (const { octets, channels } of rows) {
    const { numbers, channels: places } = decoded(octets);
    for (const [place, number] of numbers.entries()) {
      if (number <= from || found.length === limit) continue;
      found.push({ phone: `+${number}`, channel: channels[places[place] ?? 0] ?? '' });
    }
  }
  return found;
}

/** The newest first. */
export async function listPortedImports(knex: Knex): Promise<PortedImport[]> {
  const { rows } = await knex.raw<{ rows: PortedImport[] }>(
    `select name as id, number_column as "numberColumn", channel_column as "channelColumn", parts,
       case when used_since is null then (select count(*)::integer from ported_import_parts where import_id = i.id)
         else parts end as received,
       lines, read, invalid, problems, numbers, used_since as "usedSince", created_at as "createdAt"
     from ported_imports i order by i.id desc limit 100`,
  );
  return rows;
}

/** An import that is not in use yet. */
export interface PortedStandstill {
  id: string;
  parts: number;
  received: number;
  /** Since a part of it came or was read. */
  seconds: number;
}

/** The one that has stood still the longest; a newer table in use would have removed it. Undefined: none is under way. */
export async function findPortedStandstill(knex: Knex): Promise<PortedStandstill | undefined> {
  const { rows } = await knex.raw<{ rows: PortedStandstill[] }>(
    `select name as id, parts,
       (select count(*)::integer from ported_import_parts where import_id = i.id) as received,
       greatest(extract(epoch from service_now() - went_on_at), 0)::float8 as seconds
     from ported_imports i where used_since is null order by went_on_at, id limit 1`,
  );
  return rows[0];
}
