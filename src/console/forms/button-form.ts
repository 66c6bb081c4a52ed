/** A form that is one button: what it sends needs nothing from the reader. */
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { at } from '../layout/parts.ts';

/** `path` is below `/console`; `kind`: further classes of the button, such as `main` or `small`. */
export function buttonForm(
  path: string,
  words: Content,
  kind: '' | 'main' | 'small' | 'main small' = '',
): Html {
  return html`<form method="post" action="${at(path)}"><button class="button ${kind}" type="submit">${words}</button></form>`;
}
