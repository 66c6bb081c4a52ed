/** The list of a kind of resource. */
import type { ManagementOperationId } from '../../../handlers/management/operation.ts';
import { html } from '../../docs/render/html.ts';
import { namedColumns, scalarsOf } from '../../http/management/columns.ts';
import { at, button } from '../layout/parts.ts';
import type { Listing } from '../lists/list-page.ts';
import { type Definition, type Item, idOf, pathOf, type Resource } from './definition.ts';

export function listingOf(resource: Resource): Listing<Item> {
  const { definition, list, create, key } = resource;
  const { path, title, one, columns, references, beside } = definition;
  const schema = list.answer.properties?.items?.items ?? {};
  const others = namedColumns(columns ?? schema['x-columns'] ?? scalarsOf(schema)).filter(
    ([, property]) => property !== key,
  );
  return {
    path,
    operation: list.id as ManagementOperationId,
    title,
    one,
    empty: `There is no ${one} yet.`,
    columns: [{ [one]: key }, ...others.map(([name, property]) => ({ [name]: property }))],
    references,
    cells: {
      [key]: (item) =>
        html`<a href="${at(pathOf(resource, idOf(resource, item)))}">${idOf(resource, item)}</a>`,
    },
    actions: ({ may }) => [
      create !== undefined && may(create.id as never) && button(`/new${path}`, `Add ${article(one)}`, 'main'),
    ],
    said: () => beside && tabs(beside, path),
  };
}

export function article(one: string): string {
  if (['quiet hours', 'sender rules'].includes(one)) return one;
  return `${/^[aeio]|^SMS/.test(one) ? 'an' : 'a'} ${one}`;
}

const tabs = (beside: NonNullable<Definition['beside']>, current: string) =>
  html`<nav class="tabs" aria-label="Lists"><ul>${beside.map(
    ([label, path]) =>
      html`<li><a href="${at(path)}"${path === current && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>`;
