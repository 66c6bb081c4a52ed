/** One limit for all that a request waits for in the database: connections, statements, and what it shares with others. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isDatabaseAway, markDatabaseAway } from '../errors/database-away.ts';

interface Patience {
  /** Connections that are used or waited for, and work that is shared. */
  waits: number;
  /** Since when the database has not answered; undefined: nothing waits for it. */
  sinceMs: number | undefined;
  /** The database was away when it was last used. */
  failed: boolean;
  over: boolean;
  atEnd: (() => void)[];
}

interface Shared<Result> {
  running: Promise<Result>;
  wait: () => Promise<Result>;
}

/** Ends a wait. */
export type End = () => void;

const ofRequest = new AsyncLocalStorage<Patience>();

/**
 * Rejects, as if the database were away, once the work has waited `limitMs` for the database without any answer. What is
 * under way goes on then, but the work fails when it uses the database next.
 */
export async function withPatience<Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> {
  const patience = newPatience();
  let timer: NodeJS.Timeout | undefined;
  const exceeded = new Promise<never>((_, reject) => {
    const look = () => {
      const nowMs = performance.now();
      const leftMs = (patience.sinceMs ?? nowMs) + limitMs - nowMs;
      if (leftMs > 0) {
        timer = setTimeout(look, Math.ceil(leftMs));
        return;
      }
      patience.over = true;
      for (const act of patience.atEnd) act();
      reject(silence());
    };
    timer = setTimeout(look, limitMs);
  });
  const running = ofRequest.run(patience, work);
  // What it has set off, such as a wake-up of the worker, may go on for ever.
  const settled = () => {
    patience.over = false;
  };
  running.then(settled, settled);
  try {
    return await Promise.race([running, exceeded]);
  } finally {
    clearTimeout(timer);
  }
}

/** Begins a wait for the database, if a request waits for it. Throws when its patience is over. */
export function beginWait(): End {
  const patience = ofRequest.getStore();
  if (patience === undefined) return () => {};
  if (patience.over) throw silence();
  patience.waits += 1;
  patience.sinceMs ??= performance.now();
  return () => {
    patience.waits -= 1;
    if (!patience.failed) patience.sinceMs = patience.waits > 0 ? performance.now() : undefined;
  };
}

/** The database answered, or was away. */
export function noteAnswer(away: boolean): void {
  const patience = ofRequest.getStore();
  if (patience === undefined) return;
  patience.failed = away;
  if (!away && patience.waits > 0) patience.sinceMs = performance.now();
}

/** Starts work that several requests `wait` for: each with its own patience, which does not end the work. */
export function share<Result>(work: () => Promise<Result>): Shared<Result> {
  const shared = newPatience();
  const running = ofRequest.run(shared, work);
  running.catch(() => {});
  const wait = async () => {
    const end = beginWait();
    let away = false;
    try {
      return await running;
    } catch (error) {
      away = isDatabaseAway(error);
      throw error;
    } finally {
      // It may have got over a failure.
      noteAnswer(away || shared.failed);
      end();
    }
  };
  return { running, wait };
}

/** Whether the patience of the request that this is called for is over, whenever the function is called. */
export function isOver(): () => boolean {
  const patience = ofRequest.getStore();
  return () => patience?.over ?? false;
}

/** Acts once the patience of the request is over. */
export function onOver(act: () => void): void {
  ofRequest.getStore()?.atEnd.push(act);
}

function newPatience(): Patience {
  return { waits: 0, sinceMs: undefined, failed: false, over: false, atEnd: [] };
}

export function silence(): Error {
  const error = new Error('the database does not respond');
  markDatabaseAway(error);
  return error;
}
