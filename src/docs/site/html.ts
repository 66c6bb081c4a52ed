/** Makes HTML pages of sources. */
import { loadAsset } from '../assets.ts';
import { type Content, Html, html, relativeLink } from '../render/html.ts';
import { type Rendered, renderMarkdown } from '../render/markdown.ts';
import { type NavigationGroup, type NavigationItem, renderPage } from '../render/page.ts';
import { groups } from './catalogue.ts';
import { type DemoAccess, personalised } from './personal.ts';
import type { SiteContext, Source } from './site.ts';
import { tryForm } from './try-form.ts';

/** `access`: of a demo, whose visitor may see it. */
export async function renderSource(
  source: Source,
  sources: readonly Source[],
  context: SiteContext,
  access: DemoAccess | undefined,
): Promise<string> {
  const { path, title, file, isPersonal, isOperation = false } = source;
  const text = isPersonal ? personalised(source.text, context.publicUrl, access?.client) : source.text;
  const rendered = renderMarkdown(text, { path, file, isFolded: isOperation });
  const { html: main, headings } = withForm(source, rendered, access);
  const listed = sources.filter(({ isHidden }) => !isHidden);
  const place = listed.indexOf(source);
  return renderPage({
    path,
    title,
    main: new Html(isOperation ? withSamplesBeside(main) : main),
    headings,
    hasContentsBeside: !isOperation,
    navigation: navigationOf(sources),
    previous: place < 1 ? undefined : listed[place - 1],
    next: place === -1 ? undefined : listed[place + 1],
    hasTwin: true,
    scripts: await scriptElements(path, scriptsOf(source)),
  });
}

/** For browsers that ask for what is not there: says so, and offers the search. */
export async function renderNotFound(path: string, sources: readonly Source[]): Promise<string> {
  const link = (target: string) => relativeLink(path, target);
  const [first] = sources;
  return renderPage({
    path,
    title: 'Page not found',
    main: html`<h1>Page not found</h1>
<p>Nothing is served at this address. Search the documentation, or start from <a href="${link(first?.path ?? '/docs/guides')}">${first?.title}</a>.</p>
<p><button type="button" class="search large" data-search hidden><span>Search the documentation</span><kbd aria-hidden="true">/</kbd></button></p>
<ul class="list">
<li><a href="${link('/docs/guides')}">Guides</a></li>
<li><a href="${link('/docs/errors')}">Errors</a></li>
<li><a href="${link('/docs/reference')}">API reference</a></li>
</ul>`,
    headings: [],
    hasContentsBeside: false,
    navigation: navigationOf(sources),
    hasTwin: false,
    scripts: await scriptElements(path, ['site.js']),
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

/** After the opening of the page. */
function withForm(
  { form, tried, path }: Source,
  rendered: Rendered,
  access: DemoAccess | undefined,
): Rendered {
  const { html: text, headings } = rendered;
  const end = text.indexOf('<h2');
  const [before, after] = end === -1 ? [text, ''] : [text.slice(0, end), text.slice(end)];
  if (form !== undefined)
    return { html: before + webhookTesterForm(access?.client?.signingSecret).text + after, headings };
  if (tried === undefined) return rendered;
  const heading = { depth: 2, id: 'try-it', text: 'Try it' };
  return {
    html: `${before}<h2 id="${heading.id}">${heading.text}</h2>\n${tryForm(tried, path, access).text}${after}`,
    headings: [heading, ...headings],
  };
}

/** The samples are between the opening and the first heading; on a wide screen they stay in sight beside the rest. */
function withSamplesBeside(text: string): string {
  const samples = text.indexOf('<div class="code');
  const end = text.indexOf('<h2');
  return `<div class="operation"><div class="opening">${text.slice(0, samples)}</div>
<div class="samples">${text.slice(samples, end)}</div>
<div class="rest">${text.slice(end)}</div></div>`;
}

function scriptsOf({ form, tried }: Source): string[] {
  if (tried !== undefined) return ['site.js', 'try-operation.js'];
  return form === 'webhook-tester' ? ['site.js', 'webhook-tester.js'] : ['site.js'];
}

async function scriptElements(path: string, names: readonly string[]): Promise<Content> {
  const elements = names.map(async (name) => {
    const asset = await loadAsset(name);
    return html`<script type="module" src="${relativeLink(path, `/docs/assets/${name}`)}" integrity="${asset?.integrity}"></script>\n`;
  });
  return Promise.all(elements);
}

/** docs/assets/webhook-tester.js makes it work, in the browser only. */
function webhookTesterForm(signingSecret = ''): Html {
  return html`<form class="tester" id="tester" novalidate>
<label for="tester-headers">Headers</label>
<textarea id="tester-headers" rows="4" spellcheck="false" autocomplete="off" placeholder="webhook-id: …
webhook-timestamp: …
webhook-signature: v1,…"></textarea>
<label for="tester-body">Body, exactly as it was received</label>
<textarea id="tester-body" rows="7" spellcheck="false" autocomplete="off"></textarea>
<label for="tester-secret">Signing secret</label>
<input id="tester-secret" type="text" spellcheck="false" autocomplete="off" placeholder="whsec_…" value="${signingSecret}">
<p class="buttons"><button type="submit">Verify</button> <button type="button" class="plain" id="tester-sample">Fill in a signed sample</button></p>
<div id="tester-result" role="status"></div>
</form>
<noscript><p>The tester needs JavaScript.</p></noscript>
`;
}
