/** The guides: Markdown of docs/guides, in the order in which they are read. */
import { readFileSync } from 'node:fs';
import { renderInline, renderMarkdown } from './markdown.ts';
import { relativeLink, renderPage } from './page.ts';

/** Names of the files, without `.md`. */
export const guideOrder = [
  'first-message',
  'templates',
  'mobile-data',
  'chat-app',
  'preview',
  'receipts',
  'message-status',
  'idempotency',
  'limits',
  'errors',
  'compatibility',
  'going-live',
] as const;

export type GuideName = (typeof guideOrder)[number];

interface Guide {
  name: GuideName;
  text: string;
  title: string;
  /** Its first paragraph. */
  summary: string;
}

/** The list of all guides. */
export function renderGuideList(): string {
  const path = '/docs/guides';
  const items = guideOrder
    .map(readGuide)
    .map(
      ({ name, title, summary }) =>
        `<li><a href="${relativeLink(path, `${path}/${name}`)}">${renderInline(title)}</a><p>${renderInline(summary)}</p></li>`,
    );
  const linkTo = (name: string) => `<a href="${relativeLink(path, `/${name}`)}">${name}</a>`;
  return renderPage({
    path,
    title: 'Guides',
    section: 'guides',
    main: `<h1>Guides</h1>
<ol class="list">
${items.join('\n')}
</ol>
<p class="next">The document that the service enforces: ${linkTo('openapi.yaml')},
${linkTo('openapi.json')}. The receipts that it posts: ${linkTo('asyncapi.yaml')}.</p>`,
  });
}

/** Undefined if the guide does not exist. */
export function renderGuide(name: string): string | undefined {
  const place = guideOrder.indexOf(name as GuideName);
  const guide = guideOrder[place];
  if (guide === undefined) return undefined;
  const { text, title } = readGuide(guide);
  const next = guideOrder[place + 1];
  return renderPage({
    path: `/docs/guides/${guide}`,
    title,
    section: 'guides',
    main: renderMarkdown(text) + (next === undefined ? '' : nextLink(readGuide(next))),
    aside: renderAside(guide),
  });
}

function renderAside(current: GuideName): string {
  const items = guideOrder
    .map(readGuide)
    .map(
      ({ name, title }) =>
        `<li><a href="${name}"${name === current ? ' aria-current="page"' : ''}>${renderInline(title)}</a></li>`,
    );
  return `<ol>${items.join('')}</ol>`;
}

function nextLink({ name, title }: Guide): string {
  return `<p class="next">Next: <a href="${name}">${renderInline(title)}</a></p>\n`;
}

function readGuide(name: GuideName): Guide {
  const text = readFileSync(new URL(`../../docs/guides/${name}.md`, import.meta.url), 'utf8');
  const [, title = '', summary = ''] = /^# (.+)\n\n((?:.+\n)+)/.exec(text) ?? [];
  return { name, text, title, summary };
}
