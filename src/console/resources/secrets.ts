/** Shows secrets in the response to the form that made them, and never again. */
import type { Operation } from '../../contract/management.ts';
import { html } from '../../docs/render/html.ts';
import { own } from '../../platform/text/own.ts';
import { hintOf } from '../forms/control.ts';
import { button, notice, panel, top } from '../layout/parts.ts';
import { labelOf } from '../layout/values.ts';
import type { Page, PageContext } from '../page.ts';
import { type Item, idOf, pathOf, type Resource } from './definition.ts';

/** Properties of answers that are shown once. */
const names = ['accessKey', 'clientSecret', 'signingSecret'];

export const hasSecrets = ({ answer }: Operation) =>
  names.some((name) => own(answer.properties, name) !== undefined);

export async function secretsPage(
  resource: Resource,
  operation: Operation,
  page: PageContext,
  body: Item,
): Promise<Page> {
  const { definition } = resource;
  // Such answers have the item under its name.
  const item = (own(body, definition.one) ?? {}) as Item;
  const id = idOf(resource, item);
  const here = pathOf(resource, id);
  const shown = names.filter((name) => typeof own(body, name) === 'string');
  return {
    title: `Secrets of ${definition.one} ${id}`,
    body: html`${top({
      heading: id,
      trail: [
        [definition.path, definition.title],
        [here, id],
      ],
    })}
${notice('fair', shown.length === 1 ? 'This is shown only now: store it before you leave the page.' : 'These are shown only now: store them before you leave the page.')}
<div class="stack">${shown.map((name) =>
      panel(
        labelOf(name),
        html`<p class="hint">${hintOf(own(operation.answer.properties, name)?.description ?? '')}</p><pre class="secret" tabindex="0" id="secret-${name}">${String(own(body, name))}</pre><button class="button small" type="button" data-copies="secret-${name}" hidden>Copy</button>`,
      ),
    )}${await definition.belowSecrets?.(page, body)}<p>${button(here, `Open ${id}`, 'main')}</p></div>`,
  };
}
