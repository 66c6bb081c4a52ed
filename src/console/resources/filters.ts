/** What narrows a list: a form whose values are in the address of the page, and the link to the next page. */
import type { Input, Operation } from '../../http/management/document.ts';
import { type Content, type Html, html } from '../html.ts';
import { at } from '../layout/parts.ts';
import type { PageContext } from '../page.ts';
import { type Control, controlOf, hintOf } from './controls.ts';
import { labelOf } from './values.ts';

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

export function filterForm(
  path: string,
  filters: readonly Filter[],
  { query }: Reading,
  more?: Content,
): Html {
  return html`<form class="filters" method="get" action="${at(path)}">${filters.map(({ input, control }) => {
    const { name, required, description } = input;
    const isWords =
      input.schema.enum !== undefined || input.schema.format === 'date-time' || name === 'teamId';
    return html`<label><span>${labelOf(name)}</span>${control.render(name, query, {
      id: `filter-${name}`,
      required,
      describedBy: isWords ? undefined : `filter-${name}-hint`,
      invalid: false,
    })}${!isWords && html`<span class="hint" id="filter-${name}-hint">${hintOf(description)}</span>`}</label>`;
  })}${more}<button class="button" type="submit">Filter</button></form>`;
}

/** `next`: the cursor that the API gave; undefined: this is the last page. */
export function nextPage(path: string, query: URLSearchParams, next: string | undefined): Content {
  if (next === undefined) return undefined;
  const following = new URLSearchParams(query);
  following.set('cursor', next);
  return html`<p><a class="button" href="${at(path)}?${following.toString()}">Next page</a></p>`;
}
