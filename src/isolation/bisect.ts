/** Works on many items at once, and finds the ones at fault by halving. */
import { isItemFault } from './fault.ts';

/**
 * Calls `work` with all items; when it fails because of an item, with each half, and so on. An item that fails alone
 * goes to `giveUp`. Other errors reject: then nothing is known about the remaining items. `work` must leave nothing
 * behind when it fails.
 */
export async function bisect<Item>(
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
    const middle = Math.ceil(items.length / 2);
    await bisect(items.slice(0, middle), work, giveUp);
    await bisect(items.slice(middle), work, giveUp);
  }
}
