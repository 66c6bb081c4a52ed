/** Serves the documentation: pages rendered on first use, their files, and the headers that fence them in. */
import { createHash } from 'node:crypto';
import Router from '@koa/router';
import type Koa from 'koa';
import type { Asset } from '../../docs/assets.ts';
import type { PublishedDocument } from '../../docs/error-examples.ts';
import { errors } from '../../errors.ts';
import type { ContractDocument } from '../contract/document.ts';

/** What pages may load: our own files, and nothing of anybody else's. */
const strictPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/**
 * The reference runs scripts and calls the API. Inline styles are allowed there because Scalar puts its style
 * sheets into the page as `style` elements, some of them made while it runs (theme, editor, notifications), so
 * that neither hashes nor a nonce could name them. Scripts stay limited to our own files.
 */
const referencePolicy = [
  ...strictPolicy.filter((directive) => !/^(style|img)-src/.test(directive)),
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
];

const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

/**
 * The modules behind the pages are loaded with the first page, not at the start of the service. `basePath` is the path
 * that the paths of the document are below.
 */
export function createDocsRoutes(document: ContractDocument, basePath = ''): Router {
  const published = document.published as unknown as PublishedDocument;
  const router = new Router({ strict: true });
  /** Pages as they were rendered first, by their names: nothing they are made of changes while we run. */
  const rendered = new Map<string, string>();

  const page = (
    path: string,
    policy: readonly string[],
    render: (name: string) => Promise<string | undefined>,
  ) => {
    router.get(path, async (ctx) => {
      const { name = '' } = ctx.params;
      const key = `${path} ${name}`;
      const html = rendered.get(key) ?? (await render(name));
      if (html === undefined) throw errors.noRoute();
      rendered.set(key, html);
      sendPage(ctx, html, policy);
    });
  };
  const reference = () => import('../../docs/reference.ts');
  const guides = () => import('../../docs/guides.ts');
  const errorPages = () => import('../../docs/error-pages.ts');

  page('/docs', referencePolicy, async () => (await reference()).renderReference(basePath));
  page('/docs/guides', strictPolicy, async () => (await guides()).renderGuideList());
  page('/docs/guides/:name', strictPolicy, async (name) => (await guides()).renderGuide(name));
  page('/docs/errors', strictPolicy, async () => (await errorPages()).renderErrorList(published));
  page('/docs/errors/:name', strictPolicy, async (name) =>
    (await errorPages()).renderErrorPage(published, name),
  );
  router.get('/', (ctx) => {
    ctx.redirect('docs');
  });
  router.get('/docs/', (ctx) => {
    ctx.redirect('../docs');
  });

  router.get('/docs/assets/:name', async (ctx) => {
    const { loadAsset } = await import('../../docs/assets.ts');
    const asset = await loadAsset(ctx.params.name ?? '');
    if (asset === undefined) throw errors.noRoute();
    sendAsset(ctx, asset);
  });

  return router;
}

function sendPage(ctx: Koa.Context, html: string, policy: readonly string[]): void {
  ctx.set(securityHeaders);
  ctx.set('Content-Security-Policy', policy.join('; '));
  ctx.set('Cache-Control', 'no-cache');
  ctx.etag = createHash('sha256').update(html).digest('base64url');
  ctx.type = 'text/html; charset=utf-8';
  ctx.body = html;
  if (ctx.fresh) ctx.status = 304;
}

function sendAsset(ctx: Koa.Context, { type, body, gzipped, integrity, immutable }: Asset): void {
  ctx.set(securityHeaders);
  ctx.set('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  ctx.vary('Accept-Encoding');
  ctx.type = `${type}; charset=utf-8`;
  const compressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (compressed) ctx.set('Content-Encoding', 'gzip');
  ctx.etag = `${integrity}${compressed ? '-gzip' : ''}`;
  ctx.body = compressed ? gzipped : body;
  if (ctx.fresh) ctx.status = 304;
}
