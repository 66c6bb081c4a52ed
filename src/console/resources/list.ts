/** The list of a kind of resource: filters, columns, and the next page. */

import type { Schema } from '../../contract/types.ts';
import { namedColumns, type Shown, scalarsOf, valueAt } from '../../http/management/columns.ts';
import { own } from '../../platform/text/own.ts';
import { filterForm, filtersOf, filterValues, isNarrowed, nextPage } from '../forms/filters.ts';
import { type Content, type Html, html } from '../html.ts';
import { at, button, table, top } from '../layout/parts.ts';
import { labelOf, show, showOf } from '../layout/values.ts';
import type { Page, PageContext } from '../page.ts';
import { type Item, idOf, pathOf, type Resource } from './definition.ts';

const itemsOnPage = 50;

export async function listPage(resource: Resource, page: PageContext): Promise<Page> {
  const { definition, list, create } = resource;
  const { title, one, beside = [] } = definition;
  const filters = filtersOf(list, page);
  const limit = list.inputs.some(({ name }) => name === 'limit') ? itemsOnPage : undefined;
  const { body } = await page.api.send(list, { query: { ...filterValues(filters, page), limit } });
  const { items, next } = body as { items: Shown[]; next?: string };
  return {
    title,
    body: html`${top({
      heading: title,
      actions:
        create !== undefined && page.may(create.id as never)
          ? [button(`/new${definition.path}`, `Add ${article(one)}`, 'main')]
          : [],
    })}${beside.length > 0 && tabs(beside, definition.path)}
<div class="stack">${filters.length > 0 && (await filterForm(definition.path, filters, page, { references: definition.references }))}
<section class="panel" aria-label="${title}">${table({
      ...columnsOf(resource, items, page),
      caption: title,
      empty: isNarrowed(filters, page) ? `No ${one} matches. Change the filter.` : `There is no ${one} yet.`,
    })}</section>
${nextPage(definition.path, page.query, next)}</div>`,
  };
}

export function article(one: string): string {
  if (one === 'quiet hours') return one;
  return `${/^[aeio]|^SMS/.test(one) ? 'an' : 'a'} ${one}`;
}

function columnsOf(resource: Resource, items: readonly Shown[], page: PageContext) {
  const { definition, list, key } = resource;
  const schema: Schema = list.answer.properties?.items?.items ?? {};
  const named = namedColumns(definition.columns ?? schema['x-columns'] ?? scalarsOf(schema)).filter(
    ([, path]) => !(path === 'teamId' && page.reader.teamId !== undefined),
  );
  // The first column names the item and leads to it.
  const columns = [
    named.find(([, path]) => path === key),
    ...named.filter(([, path]) => path !== key),
  ].filter((column) => column !== undefined);
  return {
    columns: columns.map(([name, path]) => ({
      name: path === key ? labelOf(definition.one) : labelOf(name),
      isNumber: typesOf(own(schema.properties, path)).includes('integer'),
    })),
    rows: items.map((item) =>
      columns.map(([, path]) =>
        path === key ? link(resource, item) : cell(path, schema, item, page, definition.references),
      ),
    ),
  };
}

const typesOf = (schema: Schema | undefined) => [schema?.type ?? []].flat();

function link(resource: Resource, item: Item): Html {
  const id = idOf(resource, item);
  return html`<a href="${at(pathOf(resource, id))}">${id}</a>`;
}

function cell(
  path: string,
  schema: Schema,
  item: Shown,
  page: PageContext,
  references: Resource['definition']['references'],
): Content {
  const showing = { references, inCell: true };
  const ofPart = own(schema.properties, path);
  const shown = path.includes('.')
    ? show(path, ofPart, valueAt(item, path), page, showing)
    : showOf(item, path, ofPart, page, showing);
  return shown ?? '–';
}

function tabs(beside: readonly (readonly [label: string, path: string])[], current: string): Html {
  return html`<nav class="tabs" aria-label="Lists"><ul>${beside.map(
    ([label, path]) =>
      html`<li><a href="${at(path)}"${path === current && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>`;
}
