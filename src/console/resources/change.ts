/** Adds and changes items by forms, and settles what two people changed at once. */
import type { Operation } from '../../contract/management.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { asRefused } from '../errors.ts';
import {
  type Fault,
  type Field,
  faultsOf,
  fieldsOf,
  filledForm,
  hiddenField,
  hiddenFields,
  renderForm,
  valuesIn,
} from '../forms/form.ts';
import { valueNamed } from '../forms/object-parts.ts';
import { at, top } from '../layout/parts.ts';
import { enumOf, show, wordOf } from '../layout/values.ts';
import type { Outcome, Page, PageContext } from '../page.ts';
import { type Drawing, type Item, idOf, pathOf, type Resource } from './definition.ts';
import { itemOf } from './detail.ts';
import { article } from './list.ts';
import { hasSecrets, secretsPage } from './secrets.ts';

export async function addPage(resource: Resource, page: PageContext): Promise<Page> {
  return addForm(resource, page, { filled: page.query, faults: [] });
}

interface Filled {
  filled: URLSearchParams;
  faults: readonly Fault[];
}

/** `body`: what the form has, where it was read already. */
interface Added extends Filled {
  fields?: readonly Field[];
  body?: Record<string, unknown>;
}

/** What belongs to teams belongs to the one that a user of the platform names. */
function newFields(
  { definition, create, get }: Resource,
  page: PageContext,
  filled: URLSearchParams,
): Field[] {
  const isOwned = get.answer.required?.includes('teamId') ?? false;
  const fields = fieldsOf(create as Operation, page);
  const { variants } = definition;
  const some =
    variants?.fields(fields, filled.get(variants.by) ?? undefined, page, variants.begun?.(filled)) ?? fields;
  return withRare(definition, some).map((field) =>
    field.input.name === 'teamId' && isOwned
      ? { ...field, input: { ...field.input, required: true, description: 'The team that owns it.' } }
      : field,
  );
}

/** Those of rare parts are folded. */
const withRare = ({ rare = [] }: Resource['definition'], fields: readonly Field[]): Field[] =>
  fields.map((field) =>
    rare.some((name) => field.input.name.startsWith(`${name}.`)) ? { ...field, isMore: true } : field,
  );

async function addForm(
  resource: Resource,
  page: PageContext,
  { filled, faults, fields = newFields(resource, page, filled), body = valuesIn(fields, filled) }: Added,
): Promise<Page> {
  const { definition } = resource;
  const create = resource.create as Operation;
  const heading = `Add ${article(definition.one)}`;
  if (definition.variants !== undefined && !filled.get(definition.variants.by))
    return choicePage(resource, heading);
  page.api.offer(create, { body });
  const drawing = await definition.draw?.(page, undefined, { unsaved: body, filled });
  const form = await renderForm(page, {
    fields,
    filled,
    faults,
    references: definition.references,
    action: `/new${definition.path}`,
    submit: 'Add',
    back: definition.path,
    ...deedsOf('Add', drawing),
  });
  return {
    title: heading,
    ...(faults.length > 0 ? { status: 400 } : {}),
    body: html`${top({ heading, trail: [[definition.path, definition.title]] })}${beside(form, drawing)}`,
  };
}

/** Of a form whose result can be drawn: it is drawn before it is stored. */
const deedsOf = (submit: string, drawing: Drawing | undefined) =>
  drawing && {
    end: drawing.fields,
    deeds: html`<button class="button main" type="submit">${submit}</button><button class="button" type="submit" name="deed" value="${preview}" formnovalidate>Preview</button>`,
  };

const beside = (form: Html, drawing: Drawing | undefined): Content =>
  drawing === undefined
    ? form
    : html`<div class="split">${form}<aside class="stack" aria-label="Preview">${drawing.drawn}</aside></div>`;

/** What is added decides which fields there are. */
function choicePage({ definition, create }: Resource, heading: string): Page {
  const { by, words, more = [] } = definition.variants as NonNullable<typeof definition.variants>;
  const known = enumOf(create?.inputs.find(({ name }) => name === by)?.schema) ?? [];
  const values = [...new Set([...Object.keys(words), ...known])].filter((one) => known.includes(one));
  return {
    title: heading,
    body: html`${top({ heading, trail: [[definition.path, definition.title]] })}<ul class="plain choices-of-kind">${values.map(
      (value) =>
        html`<li><a class="button" href="${at(`/new${definition.path}?${by}=${value}`)}">${own(words, value) ?? wordOf(value)}</a></li>`,
    )}${more.map(
      ({ label, query }) =>
        html`<li><a class="button" href="${at(`/new${definition.path}?${query}`)}">${label}</a></li>`,
    )}</ul>`,
  };
}

export async function add(resource: Resource, page: PageContext): Promise<Outcome> {
  const create = resource.create as Operation;
  const fields = newFields(resource, page, page.form);
  const read = { filled: page.form, fields, body: valuesIn(fields, page.form) };
  if (page.form.get('deed') === preview) return addForm(resource, page, { ...read, faults: [] });
  try {
    const { body } = await page.api.send(create, { body: read.body });
    if (hasSecrets(create)) return await secretsPage(resource, create, page, body as Item);
    return { redirect: `${pathOf(resource, idOf(resource, body as Item))}?done=${create.id}` };
  } catch (error) {
    const faults = faultsOf(asRefused(error), fields, resource.definition.blamed);
    return await addForm(resource, page, { ...read, faults });
  }
}

export async function editPage(resource: Resource, page: PageContext): Promise<Page> {
  const { item, etag } = await itemOf(resource, page);
  const fields = changeFields(resource, page, item);
  return editForm(resource, page, { filled: filledForm(fields, item), faults: [], before: item, item, etag });
}

function changeFields({ definition, update }: Resource, page: PageContext, item: Item): Field[] {
  const fields = fieldsOf(update as Operation, page);
  const { variants } = definition;
  const some = variants?.fields(fields, String(own(item, variants.by)), page, item) ?? fields;
  return withRare(definition, some);
}

interface Edited extends Filled {
  /** The values that the form began with. */
  before: Item;
  /** What is stored. */
  item: Item;
  etag: string | undefined;
}

async function editForm(
  resource: Resource,
  page: PageContext,
  { filled, faults, before, item, etag }: Edited,
): Promise<Page> {
  const { definition } = resource;
  const update = resource.update as Operation;
  const fields = changeFields(resource, page, item);
  const id = page.params.id ?? '';
  const body = changed(fields, before, filled);
  const drawing = await definition.draw?.(page, item, { unsaved: body, filled });
  page.api.offer(update, { path: { [resource.parameter]: id }, ifMatch: etag, body });
  const here = pathOf(resource, id);
  const heading = `Edit ${id}`;
  const form = await renderForm(page, {
    fields,
    filled,
    faults,
    references: definition.references,
    isChange: true,
    action: `${here}/edit`,
    submit: 'Save',
    back: here,
    hidden: { etag, before: JSON.stringify(before) },
    ...deedsOf('Save', drawing),
  });
  return {
    title: `${heading}, ${definition.one}`,
    ...(faults.length > 0 ? { status: 400 } : {}),
    body: html`${top({
      heading,
      trail: [
        [definition.path, definition.title],
        [here, id],
      ],
    })}${beside(form, drawing)}`,
  };
}

/** The button that shows what would be saved. */
const preview = 'preview';

/** What the reader changed: another value than the form began with. */
function changed(fields: readonly Field[], before: Item, form: URLSearchParams): Record<string, unknown> {
  const began = valuesIn(fields, filledForm(fields, before));
  return Object.fromEntries(
    Object.entries(valuesIn(fields, form)).flatMap(([name, value]) => {
      const former = own(began, name);
      if (sameText(value ?? null, former ?? null)) return [];
      const isNumbers = fields.some(({ input }) => input.name === name && input.option.form === 'numbers');
      return [[name, isNumbers ? withRemoved(former, value) : value]];
    }),
  );
}

const sameText = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Null removes one of several numbers. */
function withRemoved(before: unknown, after: unknown): object {
  const removed = Object.keys(before ?? {}).map((name) => [name, null]);
  return { ...Object.fromEntries(removed), ...(after as object) };
}

export async function edit(resource: Resource, page: PageContext): Promise<Outcome> {
  const { form, api, params } = page;
  const update = resource.update as Operation;
  const etag = form.get('etag') ?? undefined;
  const before = beforeIn(form);
  const fields = changeFields(resource, page, before);
  const body = changed(fields, before, form);
  const again = async (faults: readonly Fault[]) => {
    const { item } = await itemOf(resource, page);
    return editForm(resource, page, { filled: form, faults, before, item, etag });
  };
  const path = { [resource.parameter]: params.id };
  const here = pathOf(resource, params.id ?? '');
  if (form.get('deed') === preview) return again([]);
  if (Object.keys(body).length === 0) return { redirect: here };
  try {
    await api.send(update, { path, ifMatch: etag, body });
    return { redirect: `${here}?done=${update.id}` };
  } catch (error) {
    const refused = asRefused(error);
    if (refused.status === 412) return conflictPage(resource, page, { fields, body });
    const faults = faultsOf(refused, fields, resource.definition.blamed);
    return await again(faults);
  }
}

function beforeIn(form: URLSearchParams): Item {
  try {
    return (JSON.parse(form.get('before') ?? '') ?? {}) as Item;
  } catch {
    return {};
  }
}

/** What is stored now beside what the reader entered, who decides which of them stays. */
async function conflictPage(
  resource: Resource,
  page: PageContext,
  { fields, body }: { fields: readonly Field[]; body: Record<string, unknown> },
): Promise<Page> {
  const { definition, get } = resource;
  const { params, form } = page;
  const { item, etag } = await itemOf(resource, page);
  const id = params.id ?? '';
  const here = pathOf(resource, id);
  const rows = fields
    .filter(({ input: { name } }) => valueNamed(body, name) !== undefined)
    .map(({ input, label }) => {
      const cell = (value: unknown): Content =>
        show(input.name, own(get.answer.properties, input.name) ?? input.schema, value, page) ?? 'none';
      return html`<tr><th scope="row">${label}</th><td data-name="Now stored">${cell(valueNamed(item, input.name))}</td><td data-name="Your input">${
        input.option.form === 'secrets' ? 'not shown' : cell(valueNamed(body, input.name))
      }</td></tr>`;
    });
  return {
    title: `Changed meanwhile: ${definition.one} ${id}`,
    status: 412,
    body: html`${top({
      heading: `${id} was changed meanwhile`,
      trail: [
        [definition.path, definition.title],
        [here, id],
      ],
    })}
<div class="stack"><p class="lead">${await whoChanged(resource, id, page)} Your input is not saved yet.</p>
<section class="panel"><div class="table" tabindex="0" role="group" aria-label="Both versions"><table class="cards"><thead><tr><th scope="col">Field</th><th scope="col">Now stored</th><th scope="col">Your input</th></tr></thead><tbody>${rows}</tbody></table></div></section>
<form class="form" method="post" action="${at(`${here}/edit`)}">${[...form].map(([name, value]) => name !== 'etag' && hiddenField(name, value))}${hiddenFields({ etag })}
<div class="actions"><button class="button main" type="submit">Save mine over it</button><a class="button" href="${at(`${here}/edit`)}">Take theirs</a></div></form></div>`,
  };
}

export async function whoChanged({ definition }: Resource, id: string, page: PageContext): Promise<Content> {
  if (!page.may('listAuditEntries')) return 'Somebody changed this.';
  const { body } = await page.api.call('listAuditEntries', {
    query: { noun: definition.noun, id, limit: 1 },
  });
  const [last] = body.items;
  return last === undefined
    ? 'Somebody changed this.'
    : html`Somebody changed this at ${page.times.show(last.at)} (${last.actor.name}).`;
}
