/** Processes a batch with limited concurrency, and starts nothing new after a deadline. */

/** Together with two exchanges of at most ten seconds each (querying and sending), shorter than a job's lease. */
export const startingLimitMs = 15_000;

/**
 * The results in the order of the items. `late` gives the results of items whose turn did not come in time,
 * `failed` those of items whose work rejects: the others are not lost with them.
 */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<Result>,
  late: (item: Item) => Result,
  failed: (error: unknown) => Result,
): Promise<Result[]> {
  const endMs = performance.now() + startingLimitMs;
  const results: Result[] = new Array(items.length);
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue)
      results[index] = performance.now() < endMs ? await work(item).catch(failed) : late(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return results;
}
