/** The frame of every page: head, navigation, table of contents, landmarks. */
import { htmlDocument, menuButton, pagesNavigation } from './document.ts';
import { type Content, Html, html, relativeLink } from './html.ts';
import type { Heading } from './markdown.ts';

export interface NavigationItem {
  path: string;
  label: string;
}

export interface NavigationGroup {
  name: string;
  items: readonly NavigationItem[];
}

export interface Page {
  /** From the root of the service, such as `/docs/guides/receipts`: all links are relative to it. */
  path: string;
  title: string;
  /** The main part, with its own h1. */
  main: Html;
  navigation: readonly NavigationGroup[];
  headings: readonly Heading[];
  /** Whether the table of contents is beside the text where there is room; else it is folded above it. */
  hasContentsBeside: boolean;
  /** The page before and the page after it, in the order of the navigation. */
  previous?: NavigationItem | undefined;
  next?: NavigationItem | undefined;
  /** Whether /docs/x.md has the same in Markdown. */
  hasTwin: boolean;
  /** At the end of the body. */
  scripts: Content;
}

/** A whole HTML document. Links are relative, so that a proxy may serve it under a path of its own. */
export function renderPage(page: Page): string {
  const { path, title, main, headings, hasContentsBeside, hasTwin, scripts } = page;
  const link = (target: string) => relativeLink(path, target);
  return htmlDocument({
    title: `${title} · Tarishi`,
    attributes: html` data-docs="${link('/docs')}"`,
    asset: (name) => link(`/docs/assets/${name}`),
    styles: ['style.css', 'code.css'],
    head: hasTwin && html`<link rel="alternate" type="text/markdown" href="${link(`${path}.md`)}">\n`,
    body: html`${header(page, link)}
${pagesNavigation(
  page.navigation.map(({ name, items }) => ({
    name,
    links: items.map(
      ({ path: target, label }) =>
        html`<a href="${link(target)}"${target === path && html` aria-current="page"`}>${label}</a>`,
    ),
  })),
)}
<main id="main">
${withContents(main, contents(headings, 'narrow'))}
${end(page, link)}</main>
${hasContentsBeside && contents(headings, 'wide')}
${scripts}`,
  }).text;
}

type Link = (target: string) => string;

function header({ navigation, path }: Page, link: Link): Html {
  const tabs = [
    {
      label: 'Docs',
      target: navigation[0]?.items[0]?.path ?? '/docs/guides',
      isCurrent: !/^\/docs\/(errors|reference)/.test(path),
    },
    { label: 'Errors', target: '/docs/errors', isCurrent: path.startsWith('/docs/errors') },
    { label: 'Reference', target: '/docs/reference', isCurrent: path.startsWith('/docs/reference') },
  ].map(
    ({ label, target, isCurrent }) =>
      html`<a href="${link(target)}"${isCurrent && html` aria-current="true"`}>${label}</a>`,
  );
  return html`<header>
${menuButton}
<a class="name" href="${link('/docs')}">Tarishi</a>
<nav aria-label="Sections">${tabs}</nav>
<button type="button" class="search" data-search aria-keyshortcuts="/ Control+K" hidden><span>Search</span><kbd aria-hidden="true">/</kbd></button>
</header>`;
}

/** Beside the text where there is room, and folded above it where there is none. */
function contents(headings: readonly Heading[], width: 'narrow' | 'wide'): Content {
  if (headings.length < 2) return undefined;
  const deepest = headings.length > 24 ? 2 : 3;
  const list = html`<ul>${headings
    .filter(({ depth }) => depth <= deepest)
    .map(({ depth, id, text }) => html`<li class="depth-${depth}"><a href="#${id}">${text}</a></li>`)}</ul>`;
  return width === 'narrow'
    ? html`<details class="contents narrow"><summary>On this page</summary><nav aria-label="On this page">${list}</nav></details>\n`
    : html`<nav class="contents wide" aria-label="On this page"><p>On this page</p>${list}</nav>`;
}

/** After the opening of a page. */
function withContents({ text }: Html, shown: Content): Content {
  const place = text.indexOf('<h2');
  return place === -1 ? new Html(text) : [new Html(text.slice(0, place)), shown, new Html(text.slice(place))];
}

function end({ previous, next, hasTwin, path }: Page, link: Link): Html {
  const step = (item: NavigationItem | undefined, kind: string) =>
    item !== undefined &&
    html`<a class="${kind.toLowerCase()}" href="${link(item.path)}"><span>${kind}</span>${item.label}</a>`;
  return html`<footer>${
    (previous !== undefined || next !== undefined) &&
    html`<nav class="steps" aria-label="Neighbouring pages">${step(previous, 'Previous')}${step(next, 'Next')}</nav>\n`
  }${hasTwin && html`<p class="twin"><a href="${link(`${path}.md`)}">This page as Markdown</a></p>\n`}</footer>\n`;
}
