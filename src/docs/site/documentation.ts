/**
 * What the documentation serves, by path. Pages are made on first use and kept: nothing they are made of changes. They are
 * our own, and not those of VitePress, Docusaurus or Scalar, because they know the address of the service, come from what it
 * enforces, and need no build, no inline script and no network.
 */
import { withMarkdownLinks } from '../render/links.ts';
import { buildIndex } from '../search/search-index.ts';
import { renderNotFound, renderSource } from './html.ts';
import { llmsText } from './llms.ts';
import { type DemoAccess, personalised } from './personal.ts';
import { type SiteContext, type Source, sourcesOf } from './site.ts';

export interface Documentation {
  /** `access`: of a demo, whose visitor may see it. Undefined if there is no such page. */
  html: (path: string, access?: DemoAccess) => Promise<string | undefined>;
  /** The same page in Markdown; `path` is that of the page. */
  markdown: (path: string, access?: DemoAccess) => string | undefined;
  notFound: (path: string) => Promise<string>;
  /** The index of the search, as JSON. */
  searchIndex: () => string;
  llms: () => string;
}

export function createDocumentation(context: SiteContext): Documentation {
  const sources = sourcesOf(context);
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const pages = new Map<string, Promise<string>>();
  const twins = new Map<string, string>();
  let index: string | undefined;
  let list: string | undefined;

  return {
    html: async (path, access) => {
      const source = byPath.get(path);
      if (source === undefined) return undefined;
      const key = `${path} ${access === undefined}`;
      const page = pages.get(key) ?? renderSource(source, sources, context, access);
      pages.set(key, page);
      return page;
    },
    markdown: (path, access) => {
      const source = byPath.get(path);
      if (source === undefined) return undefined;
      const key = `${path} ${access === undefined}`;
      const twin = twins.get(key) ?? renderTwin(source, context, access);
      twins.set(key, twin);
      return twin;
    },
    notFound: (path) => renderNotFound(path, sources),
    searchIndex: () => {
      index ??= JSON.stringify(buildIndex(sources));
      return index;
    },
    llms: () => {
      list ??= llmsText(sources, context.publicUrl);
      return list;
    },
  };
}

function renderTwin(
  { path, text, file, isPersonal }: Source,
  { publicUrl }: SiteContext,
  access: DemoAccess | undefined,
): string {
  return withMarkdownLinks(isPersonal ? personalised(text, publicUrl, access?.client) : text, file, path);
}
