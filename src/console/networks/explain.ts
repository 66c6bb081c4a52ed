/** Asks where a message would go: the route that it would match, and the connectors of that route as they are now. */
import { type Content, html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { asRefused } from '../errors.ts';
import { type Fault, faultsOf, fieldsOf, renderForm, valuesIn } from '../forms/form.ts';
import { facts, panel, top } from '../layout/parts.ts';
import { labelOf, show } from '../layout/values.ts';
import type { ConsoleRoute, Page, PageContext } from '../page.ts';
import type { Item } from '../resources/definition.ts';

/** Below `/console`. */
export const explainPath = '/explain';

async function askPage(
  page: PageContext,
  { faults = [], answer }: { faults?: readonly Fault[]; answer?: Item } = {},
): Promise<Page> {
  return {
    title: 'Where would it go?',
    section: '/routes',
    ...(faults.length > 0 ? { status: 400 } : {}),
    body: html`${top({
      heading: 'Where would it go?',
      under: 'Nothing is sent or changed.',
      trail: [['/routes', 'Routes']],
    })}<div class="stack">${answer !== undefined && answerPanel(answer, page)}${await renderForm(page, {
      fields: fieldsOf(page.api.operation('explainRoute'), page),
      ...{ filled: page.form, faults, action: explainPath, submit: 'Ask', back: '/routes' },
    })}</div>`,
  };
}

/** What it means that there is none. */
const absent: Readonly<Record<string, string>> = {
  route: 'none matches: the connector of the channel counts',
  connector: 'none takes messages now: it would wait',
};

function answerPanel(answer: Item, page: PageContext): Content {
  const { properties = {} } = page.api.operation('explainRoute').answer;
  const rows = Object.entries(properties).map(([name, schema]): [Content, Content] => [
    labelOf(name),
    show(name, schema, own(answer, name), page) ?? own(absent, name),
  ]);
  return panel('It would go this way', facts(rows));
}

async function ask(page: PageContext): Promise<Page> {
  const { api, form } = page;
  const operation = api.operation('explainRoute');
  const fields = fieldsOf(operation, page);
  try {
    const { body } = await api.send(operation, { body: valuesIn(fields, form) });
    return await askPage(page, { answer: body as Item });
  } catch (error) {
    return await askPage(page, { faults: faultsOf(asRefused(error), fields) });
  }
}

export const explainRoutes: ConsoleRoute[] = [
  { method: 'GET', path: explainPath, operations: ['explainRoute'], handle: (page) => askPage(page) },
  { method: 'POST', path: explainPath, operations: ['explainRoute'], handle: ask },
];
