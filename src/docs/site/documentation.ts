/**
 * What the documentation serves, by path. Pages are made on first use and kept: nothing they are made of changes. They are
 * our own, and not those of VitePress, Docusaurus or Scalar, because they know the address of the service, come from what it
 * enforces, and need no build, no inline script and no network.
 */
import { withMarkdownLinks } from '../render/links.ts';
import { buildIndex } from '../search/search-index.ts';
import { groups } from './catalogue.ts';
import { renderNotFound, renderSource } from './html.ts';
import { type DemoAccess, personalised } from './personal.ts';
import { type SiteContext, type Source, sourcesOf, summaryOf } from './site.ts';

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

/** The pages of the navigation and of operations for programs that read them, as Markdown (llmstxt.org). */
function llmsText(sources: readonly Source[], publicUrl: string): string {
  const parts = groups.map((group) => {
    const pages = sources.filter(
      ({ group: own, isHidden, tried }) => own === group && (!isHidden || tried !== undefined),
    );
    const items = pages.map(({ path, title, text }) => {
      const summary = summaryOf(text);
      return `- [${title}](${publicUrl}${path}.md)${summary === '' ? '' : `: ${summary}`}\n`;
    });
    return items.length === 0 ? '' : `\n## ${group}\n\n${items.join('')}`;
  });
  return `# Tarishi

> Send SMS, mobile-data bundles and chat-app templates through one HTTP API. Every outcome comes back as a signed
> webhook.

Every page of the documentation is also served as Markdown: add \`.md\` to its address, or send \`Accept: text/markdown\`.
The contract is [openapi.yaml](${publicUrl}/openapi.yaml); that of the receipts is
[asyncapi.yaml](${publicUrl}/asyncapi.yaml).
${parts.join('')}`;
}
