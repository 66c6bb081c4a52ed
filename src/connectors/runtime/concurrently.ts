/** Processes a batch with limited concurrency, and starts nothing new after a deadline. */

/** Together with the exchanges that are under way by then, shorter than a job's lease. */
const startingLimitMs = 15_000;
/** What is started last may take two exchanges of at most ten seconds each: querying and sending. */
const exchangesMs = 20_000;

export interface Work<Item, Result> {
  concurrency: number;
  /** What is left of the lease under which the items are processed; absent: they may be processed without one. */
  leftMs?: () => number;
  /** Waits until one more may be sent; false: not soon. */
  turn?: (() => Promise<boolean>) | undefined;
  /** Of an item whose turn has come: what it results in instead; undefined: it is worked on. */
  lookAgain?: (item: Item) => Promise<Result | undefined> | undefined;
  work: (item: Item) => Promise<Result>;
  /** The result of an item whose turn did not come in time. */
  late: (item: Item) => Result;
  /** The result of an item whose work rejects: the others are not lost with it. */
  failed: (error: unknown) => Result;
}

/** The results in the order of the items. */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  {
    concurrency,
    leftMs = () => Number.POSITIVE_INFINITY,
    turn,
    lookAgain,
    work,
    late,
    failed,
  }: Work<Item, Result>,
): Promise<Result[]> {
  const endMs = performance.now() + startingLimitMs;
  const results: Result[] = new Array(items.length);
  const queue = items.entries();
  const inTime = () => performance.now() < endMs && leftMs() > exchangesMs;
  const process = async (item: Item): Promise<Result> => {
    try {
      for (let looked = lookAgain?.(item); looked !== undefined; looked = lookAgain?.(item)) {
        const instead = await looked;
        if (instead !== undefined) return instead;
        if (!inTime()) return late(item);
      }
    } catch {
      return late(item);
    }
    return work(item).catch(failed);
  };
  const worker = async () => {
    for (const [index, item] of queue)
      results[index] = inTime() && (turn === undefined || (await turn())) ? await process(item) : late(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return results;
}
