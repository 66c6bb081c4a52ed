/** The shape of pages, as lists are read: how many items, and where the next page begins. */

/** The page that a client asks for. */
export interface PageRequest {
  /** 1 to 100; the document has the default. */
  limit?: number | undefined;
  /** `next` of the page before. */
  cursor?: string | undefined;
}

export interface Page<Item> {
  items: Item[];
  next?: string;
}

/** The sort keys of an item, as text: a page begins behind them. */
export type Position = readonly string[];

/** What a repository reads for one page. */
export interface Slice<Item> {
  items: Item[];
  /** Where the next page begins; undefined when this is the last one. */
  end: Position | undefined;
}

/** Reads what comes behind `after`, or the beginning; at most `limit` items. Only what the team has. */
export type ReadSlice<Filter, Item> = (
  teamId: string,
  filter: Filter,
  after: Position | undefined,
  limit: number,
) => Promise<Slice<Item>>;

/** Rows read with one more than `limit` tell whether there is another page. */
export function sliceOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  itemOf: (row: Row) => Item,
  positionOf: (row: Row) => Position,
): Slice<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(itemOf),
    end: rows.length > limit && last !== undefined ? positionOf(last) : undefined,
  };
}
