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

/** Ends a wait. `away`: whether the database was, as its last answer; absent: that is noted where it came. */
export type End = (away?: boolean) => void;

const ofRequest = new AsyncLocalStorage<Patience | undefined>();

/**
 * Rejects, as if the database were away, once the work has waited `limitMs` for the database without any answer. What is
 * under way goes on then, but the work fails when it uses the database next.
 */
export function withPatience<Result>(limitMs: number, work: () => Promise<Result>): Promise<Result> {
  const patience = newPatience();
  return new Promise((resolve, reject) => {
    const request: Request = {
      patience,
      limitMs,
      give: () => {
        patience.over = true;
        for (const act of patience.atEnd) act();
        reject(silence());
      },
    };
    watch(request);
    const settled = () => {
      // What it has set off, such as a wake-up of the worker, may go on for ever.
      patience.over = false;
      requests.delete(request);
    };
    ofRequest.run(patience, work).then(
      (result) => {
        settled();
        resolve(result);
      },
      (error) => {
        settled();
        reject(error);
      },
    );
  });
}

interface Request {
  patience: Patience;
  limitMs: number;
  /** Gives up. */
  give: () => void;
}

/** One timer looks through all that wait: most are done long before it runs, and cost none of their own. */
const requests = new Set<Request>();
let lookAtMs = Number.POSITIVE_INFINITY;
let timer: NodeJS.Timeout | undefined;

function watch(request: Request): void {
  requests.add(request);
  lookBy(performance.now() + request.limitMs);
}

function lookBy(atMs: number): void {
  if (atMs >= lookAtMs) return;
  clearTimeout(timer);
  lookAtMs = atMs;
  timer = setTimeout(look, Math.ceil(atMs - performance.now()));
  timer.unref();
}

function look(): void {
  lookAtMs = Number.POSITIVE_INFINITY;
  const nowMs = performance.now();
  let nextMs = Number.POSITIVE_INFINITY;
  for (const request of requests) {
    const endMs = (request.patience.sinceMs ?? nowMs) + request.limitMs;
    if (endMs > nowMs) nextMs = Math.min(nextMs, endMs);
    else {
      requests.delete(request);
      request.give();
    }
  }
  if (nextMs < Number.POSITIVE_INFINITY) lookBy(nextMs);
}

/** Begins a wait for the database, if a request waits for it. Throws when its patience is over. */
export function beginWait(): End {
  const patience = ofRequest.getStore();
  if (patience === undefined) return () => {};
  if (patience.over) throw silence();
  patience.waits += 1;
  patience.sinceMs ??= performance.now();
  return (away) => {
    if (away !== undefined) note(patience, away);
    patience.waits -= 1;
    if (!patience.failed) patience.sinceMs = patience.waits > 0 ? performance.now() : undefined;
  };
}

/** The database answered, or was away. */
export function noteAnswer(away: boolean): void {
  const patience = ofRequest.getStore();
  if (patience !== undefined) note(patience, away);
}

function note(patience: Patience, away: boolean): void {
  patience.failed = away;
  if (!away && patience.waits > 0) patience.sinceMs = performance.now();
}

/** Runs work that serves many requests, and ends with the patience of none. */
export function forAll<Result>(work: () => Result): Result {
  return ofRequest.run(undefined, work);
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
      end(away || shared.failed);
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
