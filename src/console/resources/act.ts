/** Asks before it does something with an item, and says what was done. */
import type { Operation } from '../../contract/management.ts';
import { type Content, html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { Refused } from '../api/refused.ts';
import { asRefused } from '../errors.ts';
import { type Fault, type Field, faultsOf, fieldsOf, renderForm, valuesIn } from '../forms/form.ts';
import { button, facts, notice, panel, top } from '../layout/parts.ts';
import { labelOf, show } from '../layout/values.ts';
import type { Outcome, Page, PageContext } from '../page.ts';
import { whoChanged } from './change.ts';
import { type ActionWords, type Item, labelOfAction, pathOf, type Resource } from './definition.ts';
import { itemOf, waiting } from './detail.ts';
import { hasSecrets, secretsPage } from './secrets.ts';

export interface Action {
  operation: Operation;
  words: ActionWords;
  /** The last step of its path. */
  path: string;
}

export async function actionPage(resource: Resource, action: Action, page: PageContext): Promise<Page> {
  const { item, etag } = await itemOf(resource, page);
  return actionForm(resource, action, page, { filled: startOf(action, item), faults: [], item, etag });
}

/** What is usual is chosen already. */
function startOf({ operation, words }: Action, item: Item): URLSearchParams {
  const usual = operation.inputs.map(({ name, option }) => [name, option.default]);
  return new URLSearchParams({
    ...Object.fromEntries(usual.filter(([, value]) => value !== undefined)),
    ...words.start?.(item),
  });
}

interface Asked {
  filled: URLSearchParams;
  faults: readonly Fault[];
  item: Item;
  etag: string | undefined;
  intro?: Content;
  status?: number;
}

async function actionForm(
  resource: Resource,
  { operation, words, path: step }: Action,
  page: PageContext,
  { filled, faults, item, etag, intro, status = 400 }: Asked,
): Promise<Page> {
  const { definition, parameter } = resource;
  const fields = actionFields(operation, words, page);
  const id = page.params.id ?? '';
  const here = pathOf(resource, id);
  const label = labelOfAction(words, item);
  const heading = `${label}: ${id}`;
  const { needsIfMatch } = operation;
  page.api.offer(operation, {
    path: { [parameter]: id },
    ...(needsIfMatch ? { ifMatch: etag } : {}),
    ...(operation.hasBody ? { body: valuesIn(fields, filled) } : {}),
  });
  return {
    title: `${heading}, ${definition.one}`,
    ...(faults.length > 0 || intro !== undefined ? { status } : {}),
    body: html`${top({
      heading,
      trail: [
        [definition.path, definition.title],
        [here, id],
      ],
    })}${await renderForm(page, {
      fields,
      filled,
      faults,
      action: `${here}/${step}`,
      references: definition.references,
      submit: label,
      isDangerous: words.isDangerous ?? false,
      back: here,
      hidden: { etag },
      intro: html`${intro}${words.decidesOn !== undefined && panel('Difference', waiting(item, words.decidesOn))}<p class="lead">${words.question}</p>${words.does !== undefined && html`<p class="hint">The audit log keeps: “${page.reader.userId} ${words.does} ${definition.one} ${id}.”</p>`}`,
    })}`,
  };
}

function actionFields(operation: Operation, { requires }: ActionWords, page: PageContext): Field[] {
  return fieldsOf(operation, page).map((field) =>
    field.input.name === requires ? { ...field, input: { ...field.input, required: true } } : field,
  );
}

export async function act(resource: Resource, action: Action, page: PageContext): Promise<Outcome> {
  const { operation, words } = action;
  const { definition, parameter } = resource;
  const { form, params, api } = page;
  const fields = actionFields(operation, words, page);
  const etag = form.get('etag') ?? undefined;
  const values = valuesIn(fields, form);
  const at = (place: string) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => placeOf(operation, name) === place));
  const here = pathOf(resource, params.id ?? '');
  const missing = fields.find(
    ({ input: { name } }) => name === words.requires && own(values, name) === undefined,
  );
  if (missing !== undefined) {
    const { item } = await itemOf(resource, page);
    const faults = [{ name: missing.input.name, sentence: `${missing.label}: required.` }];
    return await actionForm(resource, action, page, { filled: form, faults, item, etag });
  }
  try {
    // A reload would make another secret, and end the one before.
    if (hasSecrets(operation) && etag !== (await itemOf(resource, page)).etag) throw changedMeanwhile;
    const { body } = await api.send(operation, {
      path: { [parameter]: params.id },
      query: at('query'),
      ...(operation.hasBody ? { body: at('body') } : {}),
      ...(operation.needsIfMatch ? { ifMatch: etag } : {}),
    });
    if (hasSecrets(operation)) return await secretsPage(resource, operation, page, body as Item);
    if (operation.method === 'delete') return { redirect: `${definition.path}?done=${operation.id}` };
    return showsItem(resource, operation)
      ? { redirect: `${here}?done=${operation.id}` }
      : resultPage(resource, action, page, body as Item);
  } catch (error) {
    const refused = asRefused(error);
    const { item, etag: fresh } = await itemOf(resource, page);
    if (refused.status !== 412)
      return await actionForm(resource, action, page, {
        filled: form,
        faults: faultsOf(refused, fields),
        item,
        etag,
        status: refused.status,
      });
    const who = await whoChanged(resource, params.id ?? '', page);
    return await actionForm(resource, action, page, {
      filled: form,
      faults: [],
      item,
      etag: fresh,
      intro: notice('bad', html`<p>${who} Nothing was done. Look at it again before you go on.</p>`),
      status: 412,
    });
  }
}

const changedMeanwhile = new Refused(412, { slug: '', desc: '', retryAfter: undefined });

const placeOf = ({ inputs }: Operation, name: string) =>
  inputs.find((input) => input.name === name && input.in !== 'path')?.in;

/** Whether the answer is the item as it is now. */
const showsItem = ({ get }: Resource, { answer }: Operation) =>
  Object.keys(get.answer.properties ?? {}).every((name) => own(answer.properties, name) !== undefined);

function resultPage(resource: Resource, { operation, words }: Action, page: PageContext, body: Item): Page {
  const { definition } = resource;
  const id = page.params.id ?? '';
  const here = pathOf(resource, id);
  const heading = `${labelOfAction(words, body)}: ${id}`;
  const rows = Object.entries(operation.answer.properties ?? {}).map(([name, schema]): [Content, Content] => [
    labelOf(name),
    show(name, schema, own(body, name), page),
  ]);
  return {
    title: `${heading}, ${definition.one}`,
    body: html`${top({
      heading,
      trail: [
        [definition.path, definition.title],
        [here, id],
      ],
    })}${words.found === undefined ? notice('good', words.done) : notice(...words.found(body))}
${words.found === undefined && html`<section class="panel"><div class="body">${facts(rows)}</div></section>`}<div class="actions">${button(here, `Back to ${id}`)}${resource.update !== undefined && page.may(resource.update.id as never) && button(`${here}/edit`, 'Edit')}</div>`,
  };
}
