/** A PostgreSQL cluster that lives as long as the benchmark, with fsync on, and what it counts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import knexFactory, { type Knex } from 'knex';

export interface Cluster {
  url: string;
  /** What `select version()` says. */
  version: string;
  /** The directory of PostgreSQL's programs. */
  bin: string;
  /** The parents of all its processes. */
  processes: readonly { name: string; pid: number }[];
  stop: () => Promise<void>;
}

/** Starts a cluster of its own, even where DATABASE_URL names one: its processes must be ours to measure. */
export async function startCluster(): Promise<Cluster> {
  // On the disk: a database in memory would have commits for nothing, and no room for millions of messages.
  const environment = { ...process.env, TMPDIR: tmpdir(), DATABASE_URL: undefined };
  const child = spawn('.ci/with-postgres', ['sh', '-c', 'echo "$DATABASE_URL"; exec cat'], {
    cwd: new URL('../../..', import.meta.url),
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = (await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error('PostgreSQL did not start');
    }),
  ])) as [string];
  const { directory, ...about } = await describe(url);
  const pid = Number.parseInt(readFileSync(`${directory}/postmaster.pid`, 'utf8'), 10);
  return {
    url,
    ...about,
    processes: [{ name: 'database', pid }],
    stop: async () => {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

async function describe(url: string): Promise<Pick<Cluster, 'version' | 'bin'> & { directory: string }> {
  const [row] = await query<{ directory: string; bin: string; version: string; fsync: string }>(
    url,
    `select current_setting('data_directory') as directory, version(), current_setting('fsync') as fsync,
       (select setting from pg_config where name = 'BINDIR') as bin`,
  );
  if (row?.fsync !== 'on') throw new Error('PostgreSQL runs with fsync off');
  const { directory, bin, version } = row;
  return { directory, bin, version: /^PostgreSQL [\d.]+/.exec(version)?.[0] ?? version };
}

/** Counters of one database since its creation. */
export interface RowCounts {
  inserted: number;
  updated: number;
  deleted: number;
}

/** Backends show their counts within a second. */
export async function rowCounts(knex: Knex): Promise<RowCounts> {
  const [row] = await rowsOf<Record<keyof RowCounts, string>>(
    knex,
    `select tup_inserted as inserted, tup_updated as updated, tup_deleted as deleted
     from pg_stat_database where datname = current_database()`,
  );
  return {
    inserted: Number(row?.inserted ?? 0),
    updated: Number(row?.updated ?? 0),
    deleted: Number(row?.deleted ?? 0),
  };
}

/** What the log of changes (WAL) had to hold. */
export interface LogCounts {
  inserted: number;
  updated: number;
  deleted: number;
  hotUpdates: number;
  rowLocks: number;
  indexEntries: number;
  /** Without the images of whole pages, whose number depends on the last checkpoint. */
  octets: number;
}

export async function logPosition(knex: Knex): Promise<string> {
  const [row] = await rowsOf<{ at: string }>(knex, 'select pg_current_wal_flush_lsn()::text as at');
  return row?.at ?? '0/0';
}

/** Since that position; undefined where the server has no pg_walinspect. */
export async function logCounts(knex: Knex, from: string): Promise<LogCounts | undefined> {
  try {
    await knex.raw('create extension if not exists pg_walinspect');
    const to = await logPosition(knex);
    const rows = await rowsOf<{ type: string; count: string; octets: string }>(
      knex,
      `select "resource_manager/record_type" as type, count, record_size as octets
       from pg_get_wal_stats('${from}', '${to}', true)`,
    );
    const hot = ['Heap/HOT_UPDATE', 'Heap/HOT_UPDATE+INIT'];
    const countOf = (...types: string[]) =>
      rows.reduce((sum, { type, count }) => sum + (types.includes(type) ? Number(count) : 0), 0);
    return {
      inserted: countOf('Heap/INSERT', 'Heap/INSERT+INIT'),
      updated: countOf('Heap/UPDATE', 'Heap/UPDATE+INIT', ...hot),
      deleted: countOf('Heap/DELETE'),
      hotUpdates: countOf(...hot),
      rowLocks: countOf('Heap/LOCK', 'Heap2/LOCK_UPDATED'),
      // An entry that splits its page is written with the pages.
      indexEntries: countOf('Btree/INSERT_LEAF', 'Btree/INSERT_POST', 'Btree/SPLIT_L', 'Btree/SPLIT_R'),
      octets: rows.reduce((sum, { octets }) => sum + Number(octets), 0),
    };
  } catch {
    return undefined;
  }
}

/** One statement since the last reset, of the current database. */
export interface StatementCounts {
  query: string;
  calls: number;
  rows: number;
  /** Shared and local buffers hit, read or dirtied. */
  buffers: number;
  milliseconds: number;
}

/** Undefined where the server has not loaded pg_stat_statements. */
export async function statementCounts(knex: Knex): Promise<StatementCounts[] | undefined> {
  try {
    const rows = await rowsOf<Record<keyof StatementCounts, string>>(
      knex,
      `select query, calls, rows, total_exec_time as milliseconds,
         shared_blks_hit + shared_blks_read + local_blks_hit + local_blks_read as buffers
       from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database())`,
    );
    return rows.map(({ query, ...counts }) => ({
      query,
      calls: Number(counts.calls),
      rows: Number(counts.rows),
      buffers: Number(counts.buffers),
      milliseconds: Number(counts.milliseconds),
    }));
  } catch {
    return undefined;
  }
}

export function connectTo(url: string): Knex {
  return knexFactory({ client: 'pg', connection: url, pool: { min: 0, max: 1 } });
}

async function query<Row>(url: string, text: string): Promise<Row[]> {
  const knex = connectTo(url);
  try {
    return await rowsOf<Row>(knex, text);
  } finally {
    await knex.destroy();
  }
}

async function rowsOf<Row>(knex: Knex, text: string): Promise<Row[]> {
  const { rows } = await knex.raw<{ rows: Row[] }>(text);
  return rows;
}
