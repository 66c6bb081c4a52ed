/** Serves the documentation, which is made on first use: pages, their Markdown, the search, and files. */
import Router from '@koa/router';
import type Koa from 'koa';
import type { ContractDocument } from '../../contract/document.ts';
import type { Documentation } from '../../docs/site/documentation.ts';
import type { Credentials, DemoAccess } from '../../docs/site/personal.ts';
import { errors } from '../../platform/errors.ts';
import { createDemoVisitors } from './demo-visitor.ts';
import { createTextSender, type SendText, sendAsset } from './sent-files.ts';

export interface DocsSettings {
  document: ContractDocument;
  /** The path that the paths of the document are below; empty for the public API. */
  basePath: string;
  /** Where clients reach the service. */
  publicUrl: string;
  /** Those of a demo; shown to browsers on this machine that opened the link which the start prints. */
  demoCredentials?: (() => Credentials | undefined) | undefined;
  /** The access key of the demo's owner, for the same browsers: cookies know no ports. */
  demoKey?: (() => string | undefined) | undefined;
}

export interface Docs {
  router: Router;
  /** Stands around everything else: browsers get a page where nothing is served. */
  showNotFound: Koa.Middleware;
}

const pagePaths = ['/docs', '/docs/:name', '/docs/:folder/:name'];

/** The modules behind the pages are loaded with the first page, not at the start of the service. */
export function createDocsRoutes(settings: DocsSettings): Docs {
  const router = new Router({ strict: true });
  const sendText = createTextSender();
  let loading: Promise<Documentation> | undefined;
  const documentation = () => {
    loading ??= loadDocumentation(settings);
    return loading;
  };
  const visitors = createDemoVisitors(settings.publicUrl, settings.demoCredentials);
  const accessOf = (ctx: Koa.Context): DemoAccess | undefined => {
    const client = visitors.credentialsFor(ctx);
    return client === undefined ? undefined : { client, accessKey: settings.demoKey?.() };
  };

  router.get('/', (ctx) => {
    ctx.redirect(settings.basePath === '' ? 'docs' : 'docs/management');
  });
  router.get('/docs/', (ctx) => {
    visitors.admit(ctx);
    // To the page without the key, which should not stay in the address bar.
    ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    ctx.redirect('../docs');
  });
  router.get('/llms.txt', async (ctx) => {
    await sendText(ctx, 'text/plain', (await documentation()).llms());
  });
  router.get('/docs/search.json', async (ctx) => {
    await sendText(ctx, 'application/json', (await documentation()).searchIndex());
  });
  router.get('/docs/assets/:name', async (ctx) => {
    const { loadAsset } = await import('../../docs/assets.ts');
    const asset = await loadAsset(ctx.params.name ?? '');
    if (asset === undefined) throw errors.noRoute();
    sendAsset(ctx, asset);
  });
  router.get([...pagePaths, '/docs.md'], async (ctx) => {
    await sendPage(ctx, sendText, await documentation(), accessOf(ctx));
  });
  return {
    router,
    showNotFound: async (ctx, next) => {
      await next();
      if (!isUnknownPath(ctx)) return;
      ctx.vary('Accept');
      if (ctx.accepts('json', 'html') === 'html')
        await sendText(ctx, 'text/html', await (await documentation()).notFound(ctx.path));
    },
  };
}

/** More than any page is deep. The page differs by depth, and is kept for each. */
const deepest = 6;

function isUnknownPath(ctx: Koa.Context): boolean {
  return (
    ctx.status === 404 &&
    ctx.response.get('Error-Code') === errors.noRoute().slug &&
    // `OPTIONS *` asks for no page.
    ctx.path.startsWith('/') &&
    ctx.path.split('/').length <= deepest
  );
}

async function loadDocumentation({ document, basePath, publicUrl }: DocsSettings): Promise<Documentation> {
  const { createDocumentation } = await import('../../docs/site/documentation.ts');
  return createDocumentation({ document: document.published as never, basePath, publicUrl });
}

/** `/docs/x.md`, or `/docs/x` for those who prefer Markdown, is the page in Markdown. */
async function sendPage(
  ctx: Koa.Context,
  sendText: SendText,
  docs: Documentation,
  access: DemoAccess | undefined,
): Promise<void> {
  const path = ctx.path.replace(/\.md$/, '');
  const wantsMarkdown = path !== ctx.path || ctx.accepts('html', 'text/markdown') === 'text/markdown';
  const text = wantsMarkdown ? docs.markdown(path, access) : await docs.html(path, access);
  if (text === undefined) throw errors.noRoute();
  ctx.vary('Accept');
  if (access !== undefined) ctx.set('Cache-Control', 'no-store');
  await sendText(ctx, wantsMarkdown ? 'text/markdown' : 'text/html', text);
}
