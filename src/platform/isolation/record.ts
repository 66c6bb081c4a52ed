/** Records many items in one transaction; an item whose data fails goes to quarantine and the others are recorded. */
import type { Knex } from 'knex';
import { isConflict, isItemFault, reasonOf } from './fault.ts';
import { type FailedItem, insertQuarantined } from './quarantine-repository.ts';
import { singleOut } from './single-out.ts';

/** What is known of the items of one kind of work. */
export interface Round<Item> {
  describe: (item: Item) => FailedItem;
  /** Takes an item out of the round's way, in the transaction that puts it into quarantine. */
  leave?: (trx: Knex.Transaction, item: Item) => Promise<void>;
}

/** Has `record` carry out all items, and returns its results. May carry out the items in several parts. */
export type Each = <Item, Result>(
  round: Round<Item>,
  items: readonly Item[],
  record: (trx: Knex.Transaction, items: readonly Item[]) => Promise<readonly Result[]>,
) => Promise<Result[]>;

export interface QuarantineEvents {
  itemQuarantined: (round: string, item: string, reason: string) => void;
}

const mostTries = 5;
/** Others wait for what such a transaction has locked, and for an embedded database altogether. */
const mostIsolated = 50;

/**
 * Runs `work` in one transaction. When that fails because of an item's data, runs it again so that `each` finds the
 * items at fault with savepoints: still one transaction, so that what belongs together stays together. The second
 * time it should take at most `most` items, and leave the others to a next call.
 * `work` may run several times and must keep its state in the database only.
 */
export async function recordIsolated<Result>(
  knex: Knex,
  events: QuarantineEvents,
  work: (trx: Knex.Transaction, each: Each, most: number) => Promise<Result>,
): Promise<Result> {
  try {
    return await recordAtOnce(knex, (trx) => work(trx, allAtOnce(trx), Number.POSITIVE_INFINITY));
  } catch (error) {
    if (!isItemFault(error)) throw error;
  }
  return again(() => recordIsolating(knex, events, work));
}

async function recordIsolating<Result>(
  knex: Knex,
  events: QuarantineEvents,
  work: (trx: Knex.Transaction, each: Each, most: number) => Promise<Result>,
): Promise<Result> {
  const failed: { item: FailedItem; error: unknown }[] = [];
  const result = await knex.transaction((trx) => work(trx, isolating(trx, failed), mostIsolated));
  for (const { item, error } of failed) events.itemQuarantined(item.round, item.item, reasonOf(error));
  return result;
}

/** Items that come from claimed jobs, which end in the transaction that records their items. */
export interface Lot<Item, Result, Leases> {
  round: Round<Item>;
  items: readonly Item[];
  leases: Leases;
  complete: (trx: Knex.Transaction, leases: Leases) => Promise<void>;
  record: (trx: Knex.Transaction, items: readonly Item[]) => Promise<readonly Result[]>;
  /** Replaces the jobs by smaller ones, which stay claimed: those of each part of the items. */
  divide: (leases: Leases, parts: readonly (readonly Item[])[]) => Promise<readonly Leases[]>;
  release: (leases: Leases) => Promise<void>;
  /** Called after each commit. */
  onRecorded: (results: readonly Result[]) => void;
}

/**
 * Records a lot in one transaction. When that fails because of an item's data, divides the lot: each part has a
 * transaction of its own, so that neither are locks held for long nor is done work undone by what comes later.
 */
export async function recordLot<Item, Result, Leases>(
  knex: Knex,
  events: QuarantineEvents,
  lot: Lot<Item, Result, Leases>,
): Promise<void> {
  const { items, leases } = lot;
  try {
    const results = await recordAtOnce(knex, async (trx) => {
      await lot.complete(trx, leases);
      return allAtOnce(trx)(lot.round, items, lot.record);
    });
    lot.onRecorded(results);
    return;
  } catch (error) {
    if (!isItemFault(error)) throw error;
  }
  const parts = partsOf(items);
  const open = parts.length === 1 ? [leases] : [...(await lot.divide(leases, parts))];
  try {
    for (const part of parts) {
      await recordPart(knex, events, lot, part, open[0] as Leases);
      open.shift();
    }
  } catch (error) {
    for (const rest of open) await lot.release(rest);
    throw error;
  }
}

function partsOf<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let from = 0; from < items.length; from += mostIsolated)
    parts.push(items.slice(from, from + mostIsolated));
  return parts;
}

async function recordPart<Item, Result, Leases>(
  knex: Knex,
  events: QuarantineEvents,
  { round, complete, record, onRecorded }: Lot<Item, Result, Leases>,
  items: readonly Item[],
  leases: Leases,
): Promise<void> {
  const results = await again(() =>
    recordIsolating(knex, events, async (trx, each) => {
      await complete(trx, leases);
      return each(round, items, record);
    }),
  );
  onRecorded(results);
}

const allAtOnce =
  (trx: Knex.Transaction): Each =>
  async (_round, items, record) =>
    items.length === 0 ? [] : [...(await record(trx, items))];

const isolating =
  (trx: Knex.Transaction, failed: { item: FailedItem; error: unknown }[]): Each =>
  async <Item, Result>(
    round: Round<Item>,
    items: readonly Item[],
    record: (trx: Knex.Transaction, items: readonly Item[]) => Promise<readonly Result[]>,
  ) => {
    const results: Result[] = [];
    await singleOut(
      items,
      async (some) => {
        results.push(...(await trx.transaction((savepoint) => record(savepoint, some))));
      },
      async (one, error) => {
        const item = round.describe(one);
        await insertQuarantined(trx, item, error);
        await round.leave?.(trx, one);
        failed.push({ item, error });
      },
    );
    return results;
  };

/** Runs `work` in one transaction, and again after a deadlock. Rejects with everything undone when an item is at fault. */
export function recordAtOnce<Result>(
  knex: Knex,
  work: (trx: Knex.Transaction) => Promise<Result>,
): Promise<Result> {
  return again(() => knex.transaction(work));
}

/** The responses of a network are only in memory: a deadlock must not lose them. */
async function again<Result>(run: () => Promise<Result>, tries = 1): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isConflict(error) || tries === mostTries) throw error;
    return again(run, tries + 1);
  }
}
