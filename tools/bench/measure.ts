/** Measures what processes and the database spend while messages pass. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import {
  type LogCounts,
  logCounts,
  logPosition,
  type RowCounts,
  rowCounts,
  type StatementCounts,
  statementCounts,
} from './parts/postgres.ts';

/** Processes by the name under which their time is shown; several may have the same. */
export type Watched = readonly { name: string; pid: number }[];

export interface Usage {
  seconds: number;
  cpuSeconds: Record<string, number>;
  /** Processors kept busy by processes that are not watched. */
  otherCores: number;
}

/** The kernel counts in hundredths of a second. */
const ticksPerSecond = 100;

/** What the watched processes and their children spend until the returned function is called. */
export function startUsage(watched: Watched): () => Usage {
  const startedMs = performance.now();
  const before = cpuOf(watched);
  const busyBefore = busySeconds();
  return () => {
    const seconds = (performance.now() - startedMs) / 1000;
    const busy = busySeconds() - busyBefore;
    const cpuSeconds = Object.fromEntries(
      Object.entries(cpuOf(watched)).map(([name, spent]) => [name, spent - (before[name] ?? 0)]),
    );
    const own = Object.values(cpuSeconds).reduce((sum, spent) => sum + spent, 0);
    return { seconds, cpuSeconds, otherCores: Math.max(0, (busy - own) / seconds) };
  };
}

/** Of all processors since the system started: everything but idle and waiting for disks. */
function busySeconds(): number {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  const [, , , idle = 0, waiting = 0] = ticks;
  return (ticks.reduce((sum, one) => sum + one, 0) - idle - waiting) / ticksPerSecond;
}

function cpuOf(watched: Watched): Record<string, number> {
  const spent: Record<string, number> = {};
  const children = childrenByParent();
  for (const { name, pid } of watched) {
    const tree = [pid, ...(children.get(pid) ?? [])];
    // A child that ended is counted by its parent.
    const seconds = tree.reduce((sum, one) => sum + (cpuSecondsOf(one, one === pid) ?? 0), 0);
    spent[name] = (spent[name] ?? 0) + seconds;
  }
  return spent;
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    const parent = Number(fields?.[1]);
    if (fields !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  return children;
}

function cpuSecondsOf(pid: number, withEndedChildren: boolean): number | undefined {
  const fields = statOf(pid);
  if (fields === undefined) return undefined;
  const ticks = fields.slice(11, withEndedChildren ? 15 : 13).map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) / ticksPerSecond;
}

/** The fields of proc(5) from `state` on; undefined when the process has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Resident memory in megabytes: now, and the most since the process started. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** What the database did per message. */
export interface DatabaseWork {
  statements: number | undefined;
  rows: RowCounts;
  /** Undefined where the server cannot say. */
  log?: LogCounts | undefined;
  /** Most expensive first; undefined where the server cannot say. */
  profile: StatementCounts[] | undefined;
}

/** Backends report their counts at most once a second. */
const countsLagMs = 1_100;

/**
 * Counts statements and rows for `seconds` while the load runs. Counting statements slows the database
 * down, so it is switched on only for that time.
 */
export async function countWork(
  knex: Knex,
  seconds: number,
  received: () => Promise<number>,
): Promise<DatabaseWork> {
  await knex.raw('create extension if not exists pg_stat_statements').catch(() => {});
  await trackStatements(knex, 'top');
  await knex.raw('select pg_stat_statements_reset()').catch(() => {});
  const before = { rows: await rowCounts(knex), received: await received(), log: await logPosition(knex) };
  await delay(seconds * 1000);
  const profile = await statementCounts(knex);
  const messages = (await received()) - before.received;
  await trackStatements(knex, 'none');
  await delay(countsLagMs);
  const rows = await rowCounts(knex);
  const perMessage = (await received()) - before.received;
  const log = await logCounts(knex, before.log);
  return {
    statements: profile && profile.reduce((sum, { calls }) => sum + calls, 0) / messages,
    rows: {
      inserted: (rows.inserted - before.rows.inserted) / perMessage,
      updated: (rows.updated - before.rows.updated) / perMessage,
      deleted: (rows.deleted - before.rows.deleted) / perMessage,
    },
    log: log && {
      inserted: log.inserted / perMessage,
      updated: log.updated / perMessage,
      deleted: log.deleted / perMessage,
      hotUpdates: log.hotUpdates / perMessage,
      rowLocks: log.rowLocks / perMessage,
      indexEntries: log.indexEntries / perMessage,
      octets: log.octets / perMessage,
    },
    profile: profile?.sort((a, b) => b.milliseconds - a.milliseconds),
  };
}

/** All sessions of the server follow at once. */
export async function trackStatements(knex: Knex, what: 'top' | 'none'): Promise<void> {
  await knex.raw(`alter system set pg_stat_statements.track = '${what}'`).catch(() => {});
  await knex.raw('select pg_reload_conf()');
}
