/** The page of one item: its state, facts and actions, and the last changes to it. */
import type { Schema } from '../../contract/types.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { hintOf } from '../forms/control.ts';
import { at, button, facts, notice, panel, top } from '../layout/parts.ts';
import { labelOf, show, showOf } from '../layout/values.ts';
import type { Page, PageContext } from '../page.ts';
import { showDifference } from '../templates/difference.ts';
import { changesTable } from './changes.ts';
import { type Definition, type Item, idOf, pathOf, type Resource } from './definition.ts';

/** Properties that say how the item is, and so stand in its heading. */
const stateNames = ['enabled', 'condition', 'approvalStatus', 'status'];

export async function detailPage(resource: Resource, page: PageContext): Promise<Page> {
  const { definition } = resource;
  const { item } = await itemOf(resource, page);
  const drawing = await definition.draw?.(page, item, { unsaved: {}, filled: new URLSearchParams() });
  const above = await definition.above?.(page, item);
  const id = idOf(resource, item);
  return {
    refreshes: above !== undefined,
    title: `${labelOf(definition.one)} ${id}`,
    body: html`${heading(resource, item, page)}${done(resource, page)}
<div class="split"><div class="stack" id="facts">${above}${factsPanel(resource, item, page)}</div>
<aside class="stack" aria-label="About it">${drawing?.drawn}${related(definition, id, page)}${await changes(resource, id, page)}</aside></div>`,
  };
}

export async function itemOf({ get, parameter }: Resource, { api, params }: PageContext) {
  const { body, etag } = await api.send(get, { path: { [parameter]: params.id } });
  return { item: body as Item, etag };
}

/** `more`: behind the name, such as what is done to it. */
export function heading(resource: Resource, item: Item, page: PageContext): Html {
  const { definition, get, actions, update } = resource;
  const { path, title } = definition;
  const id = idOf(resource, item);
  const here = pathOf(resource, id);
  const states = stateNames
    .filter((name) => own(get.answer.properties, name) !== undefined)
    .map((name) => showOf(item, name, own(get.answer.properties, name), page));
  const buttons = actions
    .filter(({ operation, words: { when } }) => page.may(operation.id as never) && (when?.(item) ?? true))
    .map(({ words, path: step }) =>
      button(
        `${here}/${step}`,
        typeof words.label === 'string' ? words.label : words.label(item),
        words.isDangerous ? 'danger' : '',
      ),
    );
  return top({
    heading: id,
    trail: [[path, title]],
    state: html`${states}`,
    under: typeof item.name === 'string' && item.name !== id ? item.name : undefined,
    actions: [
      ...(update !== undefined && page.may(update.id as never)
        ? [button(`${here}/edit`, 'Edit', 'main')]
        : []),
      ...buttons,
    ],
  });
}

export function factsPanel(resource: Resource, item: Item, page: PageContext): Html {
  const { get, definition, key } = resource;
  const { references, aboveSays = [] } = definition;
  const left = [...stateNames, ...aboveSays, key, 'name'];
  const properties = Object.entries(get.answer.properties ?? {}).filter(
    ([name]) => !left.includes(name) && !isCopy(item, name),
  );
  return panel(
    'Facts',
    facts(
      properties.map(([name, schema]): [Content, Content] => [
        labelOf(name),
        sinceApproval(item, name) ??
          show(name, schema, own(item, name), page, { references }) ??
          absent(schema),
      ]),
    ),
  );
}

function related({ related: pages = [] }: Definition, id: string, { may }: PageContext): Content {
  const open = pages.filter(({ operation }) => may(operation));
  if (open.length === 0) return undefined;
  const links = open.map(
    ({ label, path }) => html`<li><a href="${at(path(encodeURIComponent(id)))}">${label}</a></li>`,
  );
  return panel('More', html`<ul class="plain">${links}</ul>`);
}

/** What it means that there is none, where that says more than nothing. */
function absent({ description = '' }: Schema): Content {
  const [, words] = /[;.] (?:absent|empty|If absent): ([^.;]+)/.exec(description) ?? [];
  return (
    words !== undefined &&
    !/^(no|it is n|when somebody)/.test(words) &&
    html`<span class="absent">${hintOf(words)}</span>`
  );
}

/** Of a property such as `approvedContent`, which holds what was approved last: what the item has now. */
function nowOf(item: Item, name: string): unknown {
  const copied = name.replace(/^approved(?=.)/, '');
  return copied === name ? undefined : own(item, copied.charAt(0).toLowerCase() + copied.slice(1));
}

/** What was approved last, and is still the same. */
function isCopy(item: Item, name: string): boolean {
  const now = nowOf(item, name);
  return now !== undefined && asText(own(item, name)) === asText(now);
}

/** What changed since; undefined: nothing was approved, or it is no such property. */
function sinceApproval(item: Item, name: string): Content {
  const [approved, now] = [own(item, name), nowOf(item, name)];
  if (approved === undefined || now === undefined) return undefined;
  return showDifference(['Approved', asText(approved)], ['Now', asText(now)]);
}

/** A property that waits for a review, and how it differs from what was approved last. */
export function waiting(item: Item, name: string): Content {
  const approved = `approved${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return (
    sinceApproval(item, approved) ??
    html`<p class="hint">It was never approved.</p><p class="text" dir="auto">${asText(own(item, name))}</p>`
  );
}

/** Objects of a list are a line each. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(lineOf).join('\n') : JSON.stringify(value, null, 2);
}

const lineOf = (one: unknown): string =>
  Object.entries(one as object)
    .map(([name, value]) => `${labelOf(name)}: ${typeof value === 'object' ? lineOf(value) : value}`)
    .join(' · ');

/** What the last form did. */
function done({ actions, create, update }: Resource, { query }: PageContext): Content {
  const operation = query.get('done');
  if (operation === null) return undefined;
  const words =
    operation === create?.id
      ? 'Added.'
      : operation === update?.id
        ? 'Saved.'
        : actions.find((one) => one.operation.id === operation)?.words.done;
  return words !== undefined && notice('good', words);
}

async function changes(
  { definition: { noun } }: Resource,
  id: string,
  { api, times, may }: PageContext,
): Promise<Content> {
  if (!may('listAuditEntries')) return undefined;
  const { body } = await api.call('listAuditEntries', { query: { noun, id, limit: 5 } });
  return panel('Last changes', changesTable(body.items, times), {
    foot: html`<a href="${at('/audit')}?${new URLSearchParams({ noun, id }).toString()}">All changes</a>`,
  });
}
