/** Where the links of the Markdown files lead: readers of the repository follow files, readers of the site pages. */

import { posix } from 'node:path';
import { own } from '../../platform/text/own.ts';
import { changeParts } from './fences.ts';
import { relativeLink } from './html.ts';

/** Files of the repository that the site has under another name, by their paths. */
const elsewhere: Readonly<Record<string, string>> = {
  'docs/start': '/docs',
  CHANGELOG: '/docs/changelog',
  README: '/docs',
  'clients/typescript': '/docs/sdks/typescript',
  'clients/python': '/docs/sdks/python',
  'clients/php': '/docs/sdks/php',
  'clients/go': '/docs/sdks/go',
  'spec/openapi.yaml': '/openapi.yaml',
  'spec/management.yaml': '/docs/management',
  'spec/sandbox.yaml': '/docs/sandbox',
  'generated/openapi.yaml': '/openapi.yaml',
  'generated/asyncapi.yaml': '/asyncapi.yaml',
  'generated/management.yaml': '/docs/management',
};

/**
 * The target of a link in `file` (a path in the repository) as a path of the site, with its anchor. An address of
 * another origin, and an anchor alone, stay as they are. Undefined if the site does not have it.
 */
export function siteTarget(href: string, file: string): string | undefined {
  if (/^([a-z]+:|#)/.test(href)) return href;
  const [written = '', anchor] = href.split('#');
  const path = posix.join(posix.dirname(file), written).replace(/\.md$/, '').replace(/\/$/, '');
  if (path === 'README' && anchor !== undefined) return undefined;
  const page = own(elsewhere, path) ?? (/^docs\/(?!assets)/.test(path) ? `/${path}` : undefined);
  return page === undefined || anchor === undefined ? page : `${page}#${anchor}`;
}

/** The same as a reference from the page at `path`. */
export function hrefFrom(path: string, target: string): string {
  return target.startsWith('/') ? relativeLink(path, target) : target;
}

/** Leads the links of a Markdown text to the Markdown of pages; a link that the site does not have loses its target. */
export function withMarkdownLinks(text: string, file: string, path: string): string {
  return outsideCode(text, (part) =>
    part.replace(/\[([^[\]]*)\]\(([^()\s]+)\)/g, (_all, words: string, href: string) => {
      const target = siteTarget(href, file);
      if (target === undefined) return words;
      const isPage = target.startsWith('/docs');
      const [page = '', anchor] = target.split('#');
      const twin = `${hrefFrom(path, isPage ? `${page}.md` : page)}${anchor === undefined ? '' : `#${anchor}`}`;
      return `[${words}](${target.startsWith('/') ? twin : target})`;
    }),
  );
}

function outsideCode(text: string, change: (part: string) => string): string {
  return changeParts(text, 'text', (part) =>
    part
      .split(/(`[^`\n]*`)/)
      .map((piece, place) => (place % 2 === 0 ? change(piece) : piece))
      .join(''),
  );
}
