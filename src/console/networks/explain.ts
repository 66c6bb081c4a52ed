/** Asks where a message would go: the route that it would match, and the connectors of that route as they are now. */
import type { Content } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { operationForm } from '../forms/operation-form.ts';
import { facts, panel } from '../layout/parts.ts';
import { labelOf, show } from '../layout/values.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import type { Item } from '../resources/definition.ts';

/** Below `/console`. */
export const explainPath = '/explain';

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

export const explainRoutes: ConsoleRoute[] = operationForm({
  operation: 'explainRoute',
  path: explainPath,
  heading: 'Where would it go?',
  under: 'Nothing is sent or changed.',
  submit: 'Ask',
  section: '/routes',
  trail: () => [['/routes', 'Routes']],
  done: (body, page, again) => again(answerPanel(body as Item, page)),
});
