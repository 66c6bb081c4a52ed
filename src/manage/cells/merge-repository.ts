/** Makes the rows of a team in another database the same as in this one, with a bounded part of them in memory. */
import type { Knex } from 'knex';
import { own } from '../../platform/text/own.ts';
import type { MovedTable } from './team-tables.ts';

/** How many rows of the other database changed. */
export interface Merged {
  added: number;
  changed: number;
  removed: number;
}

interface Found {
  key: string;
  /** The row as JSON, its columns in the order of the table. */
  row: string;
}

const batchRows = 2_000;

/** Rejects with a unique violation (23505) if another team has the id of a row. */
export async function mergeTable(
  { source, target }: { source: Knex.Transaction; target: Knex.Transaction },
  table: MovedTable,
  team: string,
): Promise<Merged> {
  const columns = await columnsOf(target, table.name);
  const merged = { added: 0, changed: 0, removed: 0 };
  const batch = { added: [] as string[], changed: [] as string[], removed: [] as string[] };
  const flush = async (least: number) => {
    for (const kind of ['removed', 'changed', 'added'] as const) {
      const rows = batch[kind];
      if (rows.length <= least) continue;
      merged[kind] += await write[kind](target, table, columns, rows);
      batch[kind] = [];
    }
  };
  const ours = readRows(source, table, columns, team);
  const asStored = { name: table.name, key: table.key, of: table.ofThere ?? table.of };
  const theirs = table.addOnly ? nothing() : readRows(target, asStored, columns, team);
  let [here, there] = [await ours.next(), await theirs.next()];
  while (!here.done || !there.done) {
    const order = here.done ? 1 : there.done ? -1 : compare(here.value.key, there.value.key);
    if (order < 0) batch.added.push(here.value?.row ?? '');
    else if (order > 0) batch.removed.push(there.value?.row ?? '');
    else if (here.value?.row !== there.value?.row) batch.changed.push(here.value?.row ?? '');
    if (order <= 0) here = await ours.next();
    if (order >= 0) there = await theirs.next();
    await flush(batchRows);
  }
  await flush(0);
  return merged;
}

async function* nothing(): AsyncGenerator<Found, undefined> {}

const compare = (one: string, other: string) => (one === other ? 0 : one < other ? -1 : 1);

interface Column {
  name: string;
  nullable: boolean;
}

/** Without those that each database numbers by itself. */
async function columnsOf(knex: Knex, table: string): Promise<Column[]> {
  const { rows } = await knex.raw<{ rows: Column[] }>(
    `select column_name as name, is_nullable = 'YES' as nullable from information_schema.columns
     where table_schema = current_schema() and table_name = ? and is_identity = 'NO' order by ordinal_position`,
    [table],
  );
  return rows;
}

/** In the order of their keys, which is that of JavaScript's strings. */
async function* readRows(
  trx: Knex.Transaction,
  { name, key, of, written = {} }: MovedTable,
  columns: readonly Column[],
  team: string,
): AsyncGenerator<Found, undefined> {
  const values = columns.map(
    (column) => `${own(written, column.name) ?? `t.${column.name}`} as ${column.name}`,
  );
  // As bytes, in hexadecimal: the databases may sort texts by different rules.
  const place = key.map((column) => `encode(convert_to(coalesce(t.${column}, ''), 'UTF8'), 'hex')`);
  yield* fetched<Found>(
    trx,
    `select concat_ws('.', ${place}) collate "C" as key, row_to_json(r)::text as row
     from ${name} t, lateral (select ${values}) r where ${of} order by key`,
    { team },
  );
  return undefined;
}

/** The rows of a query, few of them in memory. */
async function* fetched<Row>(trx: Knex.Transaction, query: string, bindings: object): AsyncGenerator<Row> {
  await trx.raw(`declare fetched no scroll cursor for ${query}`, bindings as Record<string, string>);
  let rows: Row[];
  do {
    ({ rows } = await trx.raw<{ rows: Row[] }>(`fetch ${batchRows} from fetched`));
    yield* rows;
  } while (rows.length === batchRows);
  await trx.raw('close fetched');
}

/**
 * Adds the Idempotency-Keys of clients that the other database lacks, the oldest first: it may be interrupted and
 * repeated. Returns how many.
 */
export async function addIdempotencyKeys(
  source: Knex.Transaction,
  target: Knex,
  clientIds: readonly string[],
): Promise<number> {
  const table = { name: 'idempotency_keys', key: [], of: '', addOnly: true } as const;
  const columns = await columnsOf(target, table.name);
  const { rows } = await target.raw<{ rows: { since: string }[] }>(
    `select coalesce(max(created_at) - interval '${uncommittedSeconds} seconds', '-infinity')::text as since
     from idempotency_keys where client_id = any(?::text[])`,
    [[...clientIds]],
  );
  const keys = fetched<{ row: string }>(
    source,
    `select row_to_json(t)::text as row from idempotency_keys t
     where client_id = any(:clientIds::text[]) and created_at > :since::timestamptz order by created_at`,
    { clientIds: [...clientIds], since: rows[0]?.since },
  );
  let added = 0;
  let batch: string[] = [];
  const flush = async () => {
    added += await write.added(target, table, columns, batch);
    batch = [];
  };
  for await (const { row } of keys) {
    batch.push(row);
    if (batch.length === batchRows) await flush();
  }
  await flush();
  return added;
}

/** A key has the time at which its transaction began, and longer than this none takes. */
const uncommittedSeconds = 60;

type Write = (
  target: Knex,
  table: MovedTable,
  columns: readonly Column[],
  rows: readonly string[],
) => Promise<number>;

const write: Record<keyof Merged, Write> = {
  added: (target, { name, addOnly, ofThere }, columns, rows) => {
    const names = columns.map((column) => column.name);
    return change(
      target,
      `insert into ${name} (${names}) select ${names} from json_populate_recordset(null::${name}, ?::json)
       ${addOnly || ofThere ? 'on conflict do nothing' : ''}`,
      rows,
    );
  },
  changed: (target, { name, key }, columns, rows) =>
    change(
      target,
      `update ${name} t set ${columns.map((column) => `${column.name} = r.${column.name}`)}
       from json_populate_recordset(null::${name}, ?::json) r where ${same(key, columns)}`,
      rows,
    ),
  removed: (target, { name, key }, columns, rows) =>
    change(
      target,
      `delete from ${name} t using json_populate_recordset(null::${name}, ?::json) r where ${same(key, columns)}`,
      rows,
    ),
};

async function change(target: Knex, statement: string, rows: readonly string[]): Promise<number> {
  const { rowCount } = await target.raw<{ rowCount: number }>(statement, [`[${rows.join(',')}]`]);
  return rowCount;
}

/** Columns that are never null are compared so that an index serves. */
const same = (key: readonly string[], columns: readonly Column[]) =>
  columns
    .filter(({ name }) => key.includes(name))
    .map(({ name, nullable }) => `t.${name} ${nullable ? 'is not distinct from' : '='} r.${name}`)
    .join(' and ');
