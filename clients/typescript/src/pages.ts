/** Reads lists page by page. */
import type { OperationId, Result } from './operations.ts';

/** Part of a list. There is more of it if there is `next`. */
export interface Page<Item> {
  items: Item[];
  next?: string;
}

/** What the pages of a list hold. */
export type Item<Id extends OperationId> = Result<Id> extends Page<infer One> ? One : never;

export async function* eachItem<Item>(
  read: (cursor: { cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item, void> {
  let next: string | undefined;
  do {
    const page = await read(next === undefined ? {} : { cursor: next });
    yield* page.items;
    next = page.next;
  } while (next !== undefined);
}
