/** Previews a template with values that the reader gives; nothing is sent or stored. */

import { html } from '../../docs/render/html.ts';
import { at, top } from '../layout/parts.ts';
import type { ConsoleRoute, Page, PageContext } from '../page.ts';
import { pathOf, type Resource } from '../resources/definition.ts';
import { itemOf } from '../resources/detail.ts';

async function previewPage(resource: Resource, page: PageContext): Promise<Page> {
  const { definition } = resource;
  const { item } = await itemOf(resource, page);
  const drawing = await definition.draw?.(page, item, { unsaved: {}, filled: page.form });
  const id = page.params.id ?? '';
  const here = pathOf(resource, id);
  return {
    title: `Preview: ${definition.one} ${id}`,
    body: html`${top({
      heading: `Preview: ${id}`,
      trail: [
        [definition.path, definition.title],
        [here, id],
      ],
    })}<div class="split"><form class="form" method="post" action="${at(`${here}/preview`)}">
${drawing?.fields}<div class="actions"><button class="button main" type="submit">Preview</button></div></form><aside class="stack" aria-label="Preview">${drawing?.drawn}</aside></div>`,
  };
}

export function previewRoutes(resource: Resource): ConsoleRoute[] {
  const path = `${resource.definition.path}/:id/preview`;
  const operations = ['previewSmsTemplate'] as const;
  const handle = (page: PageContext) => previewPage(resource, page);
  return [
    { method: 'GET', path, operations, handle },
    { method: 'POST', path, operations, handle },
  ];
}
