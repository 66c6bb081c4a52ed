/** What narrows a list: a form whose values are in the address of the page, and the link to the next page. */
import type { Input, Operation } from '../../http/management/document.ts';
import { type Content, type Html, html } from '../html.ts';
import { at } from '../layout/parts.ts';
import { labelOf } from '../layout/values.ts';
import type { PageContext } from '../page.ts';
import { choicesOf } from './choices.ts';
import { type Control, hintOf } from './control.ts';
import { controlOf } from './controls.ts';
import { choosing } from './written-controls.ts';

export interface Filter {
  input: Input;
  control: Control;
}

type Reading = Pick<PageContext, 'reader' | 'times' | 'query'>;

/** Users of a team see one team only. */
export function filtersOf({ inputs }: Operation, { reader, times }: Reading): Filter[] {
  return inputs
    .filter(
      ({ name, in: place }) =>
        place === 'query' &&
        name !== 'cursor' &&
        name !== 'limit' &&
        !(name === 'teamId' && reader.teamId !== undefined),
    )
    .map((input) => ({ input, control: controlOf(input.schema, { times, asFilter: true }) }));
}

/** For the query of the API, with the page that is asked for. */
export function filterValues(filters: readonly Filter[], { query }: Reading): Record<string, unknown> {
  const values = filters.map(({ input: { name }, control }) => [
    name,
    control.read(name, query) ?? undefined,
  ]);
  return { ...Object.fromEntries(values), cursor: query.get('cursor') ?? undefined };
}

export const isNarrowed = (filters: readonly Filter[], { query }: Reading) =>
  filters.some(({ input: { name } }) => query.get(name));

export async function filterForm(
  path: string,
  filters: readonly Filter[],
  page: PageContext,
  references?: Readonly<Record<string, string>>,
): Promise<Html> {
  const { query } = page;
  const choices = await choicesOf(
    filters.map(({ input }) => input.name),
    page,
    references,
  );
  const fields = filters.map(({ input, control }) => {
    const { name, required, description, schema } = input;
    const some = choices.get(name);
    const isPlain = some !== undefined || schema.enum !== undefined || schema.format === 'date-time';
    const { render } = some === undefined ? control : choosing({ isList: false, nothing: 'all' }, some);
    return html`<label><span>${labelOf(name)}</span>${render(name, query, {
      id: `filter-${name}`,
      required,
      describedBy: isPlain ? undefined : `filter-${name}-hint`,
      invalid: false,
    })}${!isPlain && html`<span class="hint" id="filter-${name}-hint">${hintOf(description)}</span>`}</label>`;
  });
  return html`<form class="filters" method="get" action="${at(path)}">${fields}<button class="button" type="submit">Filter</button></form>`;
}

/** `next`: the cursor that the API gave; undefined: this is the last page. */
export function nextPage(
  path: string,
  query: URLSearchParams,
  next: string | undefined,
  words = 'Next page',
): Content {
  if (next === undefined) return undefined;
  const following = new URLSearchParams(query);
  following.set('cursor', next);
  return html`<p><a class="button" href="${at(path)}?${following.toString()}">${words}</a></p>`;
}
