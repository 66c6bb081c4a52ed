/** A form that is one button: what it sends needs nothing from the reader. */
import { type Content, type Html, html } from '../html.ts';
import { at } from '../layout/parts.ts';
import type { PageContext } from '../page.ts';
import { hiddenFields } from './form.ts';

/** `path` is below `/console`; `kind`: further classes of the button, such as `main` or `small`. */
export function buttonForm(
  path: string,
  { formToken }: Pick<PageContext['session'], 'formToken'>,
  words: Content,
  kind: '' | 'main' | 'small' | 'main small' = '',
): Html {
  return html`<form method="post" action="${at(path)}">${hiddenFields({ formToken })}<button class="button ${kind}" type="submit">${words}</button></form>`;
}
