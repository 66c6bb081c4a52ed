/** What narrows a list: a form whose values are in the address of the page, and the link to the next page. */

import type { Input, Operation } from '../../contract/management.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { wordOfState } from '../../model/words/states.ts';
import { icon } from '../layout/icons.ts';
import { at } from '../layout/parts.ts';
import { enumOf, labelOf, wordOf } from '../layout/values.ts';
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

/** What may hold a phone number, or the name of a host that is a secret, is searched for: it must stand in no address. */
const searchedFor = ['phone', 'phoneEnd', 'idStart', 'correlator', 'origin'];

/** Users of a team see one team only. */
export function filtersOf({ inputs }: Operation, { reader, times }: Reading): Filter[] {
  return inputs
    .filter(
      ({ name, in: place }) =>
        place === 'query' &&
        name !== 'cursor' &&
        name !== 'limit' &&
        !searchedFor.includes(name) &&
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
): Promise<Content> {
  if (filters.length === 0) return undefined;
  const { query } = page;
  const choices = await choicesOf(
    filters.map(({ input }) => input.name),
    page,
    { references, all: true },
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
  return html`<details class="filter" open><summary>Filter</summary><form class="filters" method="get" action="${at(path)}">${hiddenFields(kept)}${fields}<button class="button" type="submit">Filter</button></form></details>${chosen(path, filters, page)}`;
}

/** What the list is narrowed by, in words, each with the way back. */
function chosen(path: string, filters: readonly Filter[], { query, times }: PageContext): Content {
  const all = filters.flatMap(({ input: { name, schema, required } }) => {
    const value = query.get(name);
    if (!value || required) return [];
    const words =
      schema.format === 'date-time'
        ? `${value.replace('T', ', ')} ${times.zone}`
        : enumOf(schema) === undefined
          ? value
          : wordsOf(value);
    return [chip(path, query, name, html`${labelOf(name)}: <b>${words}</b>`)];
  });
  return all.length > 0 && html`<ul class="chips" aria-label="Filters">${all}</ul>`;
}

/** A filter that holds; its link takes it away. */
export function chip(path: string, query: URLSearchParams, name: string, words: Content): Html {
  const rest = new URLSearchParams(query);
  for (const gone of [name, 'cursor']) rest.delete(gone);
  return html`<li>${words} <a href="${at(path)}?${rest.toString()}">${icon('cross')}<span class="unseen">Remove this filter</span></a></li>`;
}

/** As the choices of the filter call it. */
function wordsOf(value: string): string {
  const state = wordOfState(value);
  return state === value ? wordOf(value) : state;
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
