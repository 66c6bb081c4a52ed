/** Makes HTML pages of sources. */
import { loadAsset, scalarName } from '../assets.ts';
import { escapeHtml, relativeLink } from '../render/html.ts';
import { renderMarkdown } from '../render/markdown.ts';
import { type NavigationGroup, type NavigationItem, renderPage } from '../render/page.ts';
import { groups } from './catalogue.ts';
import { type Credentials, personalised } from './personal.ts';
import type { SiteContext, Source } from './site.ts';
import { webhookTesterForm } from './webhook-tester.ts';

/** `credentials`: of a demo whose visitor may see them. */
export async function renderSource(
  source: Source,
  sources: readonly Source[],
  context: SiteContext,
  credentials: Credentials | undefined,
): Promise<string> {
  const { path, title, file, isPersonal, form } = source;
  const isLibrary = form === 'try';
  const { html, headings } = isLibrary
    ? { html: libraryRoot(path, context.basePath, credentials), headings: [] }
    : renderMarkdown(isPersonal ? personalised(source.text, context.publicUrl, credentials) : source.text, {
        path,
        file,
      });
  const main =
    form === 'webhook-tester' ? withForm(html, webhookTesterForm(credentials?.signingSecret)) : html;
  const listed = sources.filter(({ isHidden }) => !isHidden);
  const place = listed.indexOf(source);
  return renderPage({
    path,
    title,
    main,
    headings,
    navigation: navigationOf(sources),
    previous: place < 1 ? undefined : listed[place - 1],
    next: place === -1 ? undefined : listed[place + 1],
    hasTwin: true,
    scripts: await scriptElements(path, scriptsOf(source)),
    isLibrary,
  });
}

/** For browsers that ask for what is not there: says so, and offers the search. */
export async function renderNotFound(path: string, sources: readonly Source[]): Promise<string> {
  const link = (target: string) => relativeLink(path, target);
  const [first] = sources;
  return renderPage({
    path,
    title: 'Page not found',
    main: `<h1>Page not found</h1>
<p>Nothing is served at this address. Search the documentation, or start from <a href="${link(first?.path ?? '/docs/guides')}">${first?.title}</a>.</p>
<p><button type="button" class="search large" data-search hidden><span>Search the documentation</span><kbd aria-hidden="true">/</kbd></button></p>
<ul class="list">
<li><a href="${link('/docs/guides')}">Guides</a></li>
<li><a href="${link('/docs/errors')}">Errors</a></li>
<li><a href="${link('/docs/reference')}">API reference</a></li>
</ul>`,
    headings: [],
    navigation: navigationOf(sources),
    hasTwin: false,
    scripts: await scriptElements(path, ['site.js']),
    isLibrary: false,
  });
}

function navigationOf(sources: readonly Source[]): NavigationGroup[] {
  return groups
    .map((name) => ({
      name,
      items: sources.filter(({ group, isHidden }) => group === name && !isHidden) satisfies NavigationItem[],
    }))
    .filter(({ items }) => items.length > 0);
}

function libraryRoot(path: string, basePath: string, credentials: Credentials | undefined): string {
  const known =
    credentials === undefined || basePath !== ''
      ? ''
      : ` data-client-id="${escapeHtml(credentials.clientId)}" data-client-secret="${escapeHtml(credentials.clientSecret)}"`;
  const base = relativeLink(path, basePath === '' ? '/' : basePath);
  return `<div id="reference" data-base="${base}"${known}></div>
<noscript><p>This page needs JavaScript. The <a href="reference">reference</a> does not.</p></noscript>`;
}

function withForm(html: string, form: string): string {
  const end = html.indexOf('<h2');
  return end === -1 ? html + form : html.slice(0, end) + form + html.slice(end);
}

function scriptsOf({ form }: Source): string[] {
  if (form === 'try') return ['no-eval.js', scalarName, 'reference.js', 'site.js'];
  return form === 'webhook-tester' ? ['site.js', 'webhook-tester.js'] : ['site.js'];
}

/** Modules are our own; what Scalar needs runs before them, in order. */
const modules = new Set(['site.js', 'webhook-tester.js']);

async function scriptElements(path: string, names: readonly string[]): Promise<string> {
  const elements = names.map(async (name) => {
    const asset = await loadAsset(name);
    const type = modules.has(name) ? ' type="module"' : '';
    return `<script${type} src="${relativeLink(path, `/docs/assets/${name}`)}" integrity="${asset?.integrity}"></script>\n`;
  });
  return (await Promise.all(elements)).join('');
}
