/** What frames every page of the documentation and of the console: the document with its head, and the list of all pages. */
import { type Content, type Html, html } from './html.ts';

export interface DocumentParts {
  /** Of the window: the page, and what it is a page of. */
  title: string;
  /** Of the whole document. */
  attributes?: Content;
  /** The address of a static file. */
  asset: (name: string) => string;
  /** Besides the base of all pages. */
  styles: readonly string[];
  head?: Content;
  body: Content;
}

export function htmlDocument({ title, attributes, asset, styles, head, body }: DocumentParts): Html {
  const sheets = ['base.css', ...styles].map(
    (name) => html`<link rel="stylesheet" href="${asset(name)}">
`,
  );
  return html`<!doctype html>
<html lang="en"${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${asset('icon.svg')}">
${sheets}${head}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${body}
</body>
</html>
`;
}

/** Opens the list of all pages where there is no room for it. */
export const menuButton = html`<button type="button" class="menu" popovertarget="pages" aria-label="All pages"><span aria-hidden="true"></span></button>`;

export interface ListedPages {
  /** Undefined: pages of no group. */
  name?: string;
  links: readonly Content[];
}

export const pagesNavigation = (groups: readonly ListedPages[]): Html =>
  html`<nav class="pages" id="pages" aria-label="All pages" popover>${groups.map(
    ({ name, links }) =>
      html`${name !== undefined && html`<h2>${name}</h2>`}<ul>${links.map((link) => html`<li>${link}</li>`)}</ul>`,
  )}</nav>`;
