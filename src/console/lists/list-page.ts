/** The page of a list of the API: its filters, its items, and the way to the next page. */

import { type Content, html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { chip, filterForm, filtersOf, filterValues, isNarrowed, nextPage } from '../forms/filters.ts';
import { type Top, top } from '../layout/parts.ts';
import type { ConsoleRoute, Page, PageContext } from '../page.ts';
import { type ItemColumns, itemTable } from './item-table.ts';

export interface Listing<Item> extends ItemColumns<Item> {
  /** Below `/console`; parameters of its path, such as `:teamId`, are those of the operation. */
  path: string;
  title: string;
  /** One of its items, such as `request`. */
  one: string;
  under?: Content;
  /** Said of a list without items that nothing narrows. */
  empty: string;
  /** Such as `Requests, the newest first`; the title if omitted. */
  caption?: string;
  /** The pages above this one. */
  trail?: (page: PageContext) => Top['trail'];
  /** Beside the heading. */
  actions?: (page: PageContext) => readonly Content[];
  /** Below the heading, such as what was done; and above the filters. */
  said?: (page: PageContext) => Content;
  above?: (page: PageContext) => Content;
  /** What narrows the list besides its filters: the query of the API, and the name in the address with its words. */
  narrowedTo?: (page: PageContext) => Promise<Narrowed | undefined>;
  /** Items in another order than that of the API. */
  sorted?: (items: readonly Item[]) => readonly Item[];
  section?: string;
  refreshes?: boolean;
}

export interface Narrowed {
  query: Readonly<Record<string, unknown>>;
  name: string;
  words: Content;
}

const itemsOnPage = 50;

export async function listPage<Item extends object>(
  listing: Listing<Item>,
  page: PageContext,
): Promise<Page> {
  const { title, under, section, refreshes, caption = title, references, narrowedTo } = listing;
  const { api, query, params } = page;
  const operation = api.operation(listing.operation);
  const path = listing.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(own(params, name) ?? ''),
  );
  const filters = filtersOf(operation, page);
  const limit = operation.inputs.some(({ name }) => name === 'limit') ? itemsOnPage : undefined;
  const narrowed = await narrowedTo?.(page);
  const { body } = await api.send(operation, {
    path: params,
    query: { ...filterValues(filters, page), limit, ...narrowed?.query },
  });
  const { items, next } = body as { items: readonly Item[]; next?: string };
  const kept = narrowed === undefined ? {} : { [narrowed.name]: query.get(narrowed.name) ?? undefined };
  return {
    title,
    ...(section === undefined ? {} : { section }),
    ...(refreshes === undefined ? {} : { refreshes }),
    body: html`${top({
      heading: title,
      under,
      trail: listing.trail?.(page) ?? [],
      actions: listing.actions?.(page) ?? [],
    })}${listing.said?.(page)}<div class="stack">${listing.above?.(page)}${await filterForm(
      path,
      filters,
      page,
      { references, kept },
    )}${narrowed !== undefined && html`<ul class="chips">${chip(path, query, narrowed.name, narrowed.words)}</ul>`}
<section class="panel" id="list" aria-label="${caption}">${itemTable(
      listing,
      listing.sorted?.(items) ?? items,
      page,
      { caption, empty: emptyWords(listing, next, narrowed !== undefined || isNarrowed(filters, page)) },
    )}</section>${nextPage(path, query, next)}</div>`,
  };
}

function emptyWords(
  { one, empty }: { one: string; empty: string },
  next: string | undefined,
  isNarrow: boolean,
): string {
  if (next !== undefined) return `No ${one} here. Look further back.`;
  return isNarrow ? `No ${one} matches. Change the filter.` : empty;
}

/** A page that refreshes itself is made for all readers of a team and role at once. */
export function listRoute<Item extends object>(listing: Listing<Item>): ConsoleRoute {
  return {
    method: 'GET',
    path: listing.path,
    operations: [listing.operation],
    shared: listing.refreshes ?? false,
    handle: (page) => listPage(listing, page),
  };
}
