/** The frame of every page: head, navigation, table of contents, landmarks. */
import { escapeHtml, relativeLink } from './html.ts';
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
  /** HTML of the main part, with its own h1. */
  main: string;
  navigation: readonly NavigationGroup[];
  headings: readonly Heading[];
  /** Whether the table of contents is beside the text where there is room; else it is folded above it. */
  hasContentsBeside: boolean;
  /** The page before and the page after it, in the order of the navigation. */
  previous?: NavigationItem | undefined;
  next?: NavigationItem | undefined;
  /** Whether /docs/x.md has the same in Markdown. */
  hasTwin: boolean;
  /** HTML that goes to the end of the body. */
  scripts: string;
}

/** A whole HTML document. Links are relative, so that a proxy may serve it under a path of its own. */
export function renderPage(page: Page): string {
  const { path, title, main, hasContentsBeside, hasTwin, scripts } = page;
  const link = (target: string) => relativeLink(path, target);
  const twin = hasTwin ? `<link rel="alternate" type="text/markdown" href="${link(`${path}.md`)}">\n` : '';
  return `<!doctype html>
<html lang="en" data-docs="${link('/docs')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Tarishi</title>
<link rel="icon" href="${link('/docs/assets/icon.svg')}">
<link rel="stylesheet" href="${link('/docs/assets/tokens.css')}">
<link rel="stylesheet" href="${link('/docs/assets/style.css')}">
<link rel="stylesheet" href="${link('/docs/assets/code.css')}">
${twin}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${renderHeader(page, link)}
${renderNavigation(page, link)}
<main id="main">
${withContents(main, renderContents(page.headings, 'narrow'))}
${renderEnd(page, link)}</main>
${hasContentsBeside ? renderContents(page.headings, 'wide') : ''}
${scripts}</body>
</html>
`;
}

type Link = (target: string) => string;

function renderHeader({ navigation, path }: Page, link: Link): string {
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
      `<a href="${link(target)}"${isCurrent ? ' aria-current="true"' : ''}>${label}</a>`,
  );
  return `<header>
<button type="button" class="menu" popovertarget="menu" aria-label="All pages"><span aria-hidden="true"></span></button>
<a class="name" href="${link('/docs')}">Tarishi</a>
<nav aria-label="Sections">${tabs.join('')}</nav>
<button type="button" class="search" data-search aria-keyshortcuts="/ Control+K" hidden><span>Search</span><kbd aria-hidden="true">/</kbd></button>
</header>`;
}

function renderNavigation({ navigation, path }: Page, link: Link): string {
  const groups = navigation.map(({ name, items }) => {
    const links = items.map(
      ({ path: target, label }) =>
        `<li><a href="${link(target)}"${target === path ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a></li>`,
    );
    return `<section><h2>${name}</h2><ul>${links.join('')}</ul></section>`;
  });
  return `<nav class="pages" id="menu" aria-label="All pages" popover>${groups.join('')}</nav>`;
}

/** Beside the text where there is room, and folded above it where there is none. */
function renderContents(headings: readonly Heading[], width: 'narrow' | 'wide'): string {
  if (headings.length < 2) return '';
  const deepest = headings.length > 24 ? 2 : 3;
  const items = headings
    .filter(({ depth }) => depth <= deepest)
    .map(({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`);
  const list = `<ul>${items.join('')}</ul>`;
  return width === 'narrow'
    ? `<details class="contents narrow"><summary>On this page</summary><nav aria-label="On this page">${list}</nav></details>\n`
    : `<nav class="contents wide" aria-label="On this page"><p>On this page</p>${list}</nav>`;
}

/** After the opening of a page. */
function withContents(main: string, contents: string): string {
  const place = main.indexOf('<h2');
  return place === -1 ? main : `${main.slice(0, place)}${contents}${main.slice(place)}`;
}

function renderEnd({ previous, next, hasTwin, path }: Page, link: Link): string {
  const step = (item: NavigationItem | undefined, kind: string) =>
    item === undefined
      ? ''
      : `<a class="${kind.toLowerCase()}" href="${link(item.path)}"><span>${kind}</span>${escapeHtml(item.label)}</a>`;
  const steps = `${step(previous, 'Previous')}${step(next, 'Next')}`;
  const twin = hasTwin
    ? `<p class="twin"><a href="${link(`${path}.md`)}">This page as Markdown</a></p>\n`
    : '';
  return `<footer>${steps === '' ? '' : `<nav class="steps" aria-label="Neighbouring pages">${steps}</nav>\n`}${twin}</footer>\n`;
}
