/** What narrows a list: a form whose values are in the address of the page, and the link to the next page. */
import type { Input, Operation } from '../../contract/management.ts';
import { type Content, type Html, html } from '../html.ts';
import { at } from '../layout/parts.ts';
import { labelOf } from '../layout/values.ts';
import type { PageContext } from '../page.ts';
import { choicesOf } from './choices.ts';
import type { Control } from './control.ts';
import { controlOf } from './controls.ts';
import { hiddenFields } from './form.ts';
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

interface Unchanged {
  references?: Readonly<Record<string, string>> | undefined;
  /** Values of the query that the form does not change. */
  kept?: Readonly<Record<string, string | undefined>>;
}

export async function filterForm(
  path: string,
  filters: readonly Filter[],
  page: PageContext,
  { references, kept = {} }: Unchanged = {},
): Promise<Html> {
  const { query } = page;
  const choices = await choicesOf(
    filters.map(({ input }) => input.name),
    page,
    references,
  );
  const fields = filters.map(({ input, control }) => {
    const { name, required, schema } = input;
    const some = choices.get(name);
    const { render } = some === undefined ? control : choosing({ isList: false, nothing: 'all' }, some);
    return html`<label><span>${labelOf(name)}${schema.format === 'date-time' && `, ${page.times.zone}`}</span>${render(
      name,
      query,
      {
        id: `filter-${name}`,
        required,
        describedBy: undefined,
        invalid: false,
      },
    )}</label>`;
  });
  return html`<form class="filters" method="get" action="${at(path)}">${hiddenFields(kept)}${fields}<button class="button" type="submit">Filter</button></form>`;
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
