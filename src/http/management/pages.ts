/** Reads lists and statements page by page. */
import type { Answer } from '../connections/call.ts';

type Page = Pick<Answer, 'headers' | 'body'>;
type Send = (more?: Readonly<Record<string, string>>) => Promise<Page>;
type Item = Record<string, unknown>;

/** The most that a page may have. */
const pageLimit = 100;

export async function* pagesOf(send: Send): AsyncGenerator<Page, undefined> {
  let cursor: string | undefined;
  do {
    const page: Page = await send(cursor === undefined ? {} : { cursor });
    yield page;
    const { next } = (page.body ?? {}) as { next?: string };
    cursor = next ?? (page.headers['next-cursor'] as string | undefined);
  } while (cursor !== undefined);
  return undefined;
}

/** `paged`: the list has pages, of which `most` items are wanted, or all. `more`: whether it has others. */
export async function itemsOf(
  send: Send,
  paged: { most: number | undefined } | undefined,
): Promise<{ items: Item[]; more: boolean }> {
  const most = paged?.most ?? Number.POSITIVE_INFINITY;
  const items: Item[] = [];
  const limited: Send = (more) =>
    send(paged === undefined ? {} : { ...more, limit: String(Math.min(pageLimit, most - items.length)) });
  for await (const { body } of pagesOf(limited)) {
    const page = body as { items: Item[]; next?: string };
    items.push(...page.items);
    if (items.length >= most) return { items, more: page.next !== undefined };
  }
  return { items, more: false };
}

type First = IteratorResult<Page, undefined>;

/** One table: of the pages behind the first without their line of column names. */
export async function* csvParts(first: First, rest: AsyncIterable<Page>): AsyncGenerator<string> {
  yield String(first.value?.body ?? '');
  for await (const { body } of rest) yield String(body).replace(/^.*\r\n/, '');
}

/** One statement: it opens as the first page does, and closes as the last one. */
export async function* statementParts(first: First, rest: AsyncIterable<Page>): AsyncGenerator<string> {
  const { entries, closing, next: _next, ...head } = (first.value?.body ?? {}) as StatementPage;
  yield `${JSON.stringify(head).slice(0, -1)},"entries":[`;
  yield* entriesOf(entries, '\n');
  let last = closing;
  let before = entries.length;
  for await (const { body } of rest) {
    const page = body as StatementPage;
    yield* entriesOf(page.entries, before === 0 ? '\n' : ',\n');
    before += page.entries.length;
    last = page.closing;
  }
  yield `\n],"closing":${JSON.stringify(last)}}\n`;
}

interface StatementPage {
  entries: object[];
  closing: object;
  next?: string;
}

function* entriesOf(entries: readonly object[], start: string): Generator<string> {
  for (const [place, entry] of entries.entries())
    yield `${place === 0 ? start : ',\n'}${JSON.stringify(entry)}`;
}
