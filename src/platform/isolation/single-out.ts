/** Processes many items at once, and isolates faulty ones by dividing them into ever smaller parts. */
import { isItemFault } from './fault.ts';

/** With two, large parts would fail again and again where many items are at fault. */
const parts = 8;

/**
 * Calls `work` with all items; when it fails because of an item, with each eighth, and so on. An item that fails alone
 * goes to `giveUp`. Other errors reject: then nothing is known about the remaining items. `work` must leave nothing
 * behind when it fails.
 */
export async function singleOut<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<void>,
  giveUp: (item: Item, error: unknown) => Promise<void> | void,
): Promise<void> {
  const [first] = items;
  if (first === undefined) return;
  try {
    await work(items);
  } catch (error) {
    if (!isItemFault(error)) throw error;
    if (items.length === 1) return giveUp(first, error);
    const size = Math.ceil(items.length / parts);
    for (let from = 0; from < items.length; from += size)
      await singleOut(items.slice(from, from + size), work, giveUp);
  }
}
