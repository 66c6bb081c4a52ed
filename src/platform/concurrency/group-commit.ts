/** Combines concurrent submissions into few transactions: those that arrive during one transaction share the next. */

import { isDatabaseAway } from '../errors/database-away.ts';
import { singleOut } from '../isolation/single-out.ts';
import { beginWait, forAll, isOver, silence } from './patience.ts';
import { createPause } from './pause.ts';

export interface BatchLimits {
  /** Transactions under way at once. */
  concurrency: number;
  /** Most submissions in one transaction. */
  maxItems: number;
  /** Most of their weight in one transaction; a single heavier submission still goes, alone. */
  maxWeight: number;
  /** How long, after a large transaction, the next one waits until it is as large; absent: it begins at once. */
  gatherMs?: number;
}

/** Carries out a batch and returns a result per item in the same order; rejects with nothing done. */
export type Commit<Item, Result> = (items: readonly Item[]) => Promise<Result[]>;

export interface Batcher<Item, Result> {
  /**
   * Resolves once the item's transaction is committed; rejects when it was not. An item that still waits for its
   * transaction when its request gives up is in none.
   */
  submit: (item: Item) => Promise<Result>;
  /** Whether transactions have been under way for most of the last moments. */
  busy: () => boolean;
  /** How long the first of those has waited that are in no transaction yet; 0 when nobody waits. */
  waitingMs: () => number;
}

interface Waiting<Item, Result> {
  item: Item;
  sinceMs: number;
  isOver: () => boolean;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Below this, gathering delays a sender that waits for each response by more than it saves the database. */
const fewestGathered = 16;
const busyMemoryMs = 50;
const busyFrom = 0.7;

/** A lone submission is not delayed: it starts in the next turn of the event loop. */
export function createBatcher<Item, Result>(
  commit: Commit<Item, Result>,
  weightOf: (item: Item) => number,
  limits: BatchLimits,
): Batcher<Item, Result> {
  const queue: Waiting<Item, Result>[] = [];
  let running = 0;
  // Submissions in transactions.
  let underWay = 0;
  // How many submissions the next transaction is waiting for; undefined: it begins at once.
  let wanted: number | undefined;
  const pause = createPause();
  // The share of time with a transaction under way, older moments counting less and less.
  let busyShare = 0;
  let countedMs = performance.now();
  const countBusy = () => {
    const nowMs = performance.now();
    const waiting = wanted === undefined ? 0 : 1;
    const old = Math.exp((countedMs - nowMs) / busyMemoryMs);
    busyShare = busyShare * old + (running > waiting ? 1 - old : 0);
    countedMs = nowMs;
    return busyShare;
  };

  /** Beside others, once as many wait as one of those carries: many small ones cost the database most. */
  const worthwhile = (others: number) =>
    wanted === undefined && queue.length > 0 && queue.length * others >= underWay;

  /** A transaction costs the database as much as dozens of submissions, and more of them are about to arrive. */
  const gather = async (carried: number) => {
    const isWorthIt = carried >= fewestGathered && queue.length > 0 && queue.length < carried;
    if (limits.gatherMs === undefined || wanted !== undefined || !isWorthIt) return;
    countBusy();
    wanted = carried;
    await pause.begin(limits.gatherMs);
    countBusy();
    wanted = undefined;
  };

  const runTransactions = async () => {
    countBusy();
    running += 1;
    // Requests of one turn of the event loop share a transaction.
    await new Promise(setImmediate);
    while (worthwhile(running - 1)) {
      const taken = takeBatch(queue, weightOf, limits);
      const batch = taken.filter(({ isOver }) => !isOver());
      for (const { isOver, reject } of taken) if (isOver()) reject(silence());
      underWay += batch.length;
      await settle(commit, batch);
      underWay -= batch.length;
      await gather(batch.length);
    }
    countBusy();
    running -= 1;
  };

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        const end = beginWait();
        queue.push({
          item,
          sinceMs: performance.now(),
          isOver: isOver(),
          resolve: (result) => {
            end(false);
            resolve(result);
          },
          reject: (error) => {
            end(isDatabaseAway(error));
            reject(error);
          },
        });
        if (wanted !== undefined && queue.length >= wanted) pause.end();
        if (running < limits.concurrency && worthwhile(running)) void forAll(runTransactions);
      }),
    busy: () => countBusy() > busyFrom,
    waitingMs: () => (queue[0] === undefined ? 0 : performance.now() - queue[0].sinceMs),
  };
}

function takeBatch<Item, Result>(
  queue: Waiting<Item, Result>[],
  weightOf: (item: Item) => number,
  limits: BatchLimits,
): Waiting<Item, Result>[] {
  let count = 0;
  let weight = 0;
  for (const { item } of queue) {
    weight += weightOf(item);
    if (count > 0 && (count === limits.maxItems || weight > limits.maxWeight)) break;
    count += 1;
  }
  return queue.splice(0, count);
}

/** A submission whose data fails is rejected alone; other errors reject everything that is not committed yet. */
async function settle<Item, Result>(
  commit: Commit<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    await singleOut(
      batch,
      async (some) => {
        const results = await commit(some.map(({ item }) => item));
        for (const [index, { resolve }] of some.entries()) resolve(results[index] as Result);
      },
      ({ reject }, error) => reject(error),
    );
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
