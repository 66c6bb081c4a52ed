/** Sends pages: compressed, never stored, and fenced in by a policy of their own. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type Koa from 'koa';
import { securityHeaders } from '../http/routes/sent-files.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export async function sendHtml(ctx: Koa.Context, text: string): Promise<void> {
  ctx.set(securityHeaders);
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    // With no-referrer, browsers send forms with `Origin: null`.
    'Referrer-Policy': 'same-origin',
  });
  ctx.vary('Accept-Encoding');
  ctx.etag = createHash('sha256').update(text).digest('base64url');
  ctx.type = 'text/html; charset=utf-8';
  // A page that refreshes itself asks with `Cache-Control: no-cache`, with which `ctx.fresh` is never true.
  const known = ctx.get('If-None-Match') === ctx.response.get('ETag');
  if (ctx.status === 200 && ctx.method === 'GET' && known) {
    ctx.status = 304;
    return;
  }
  const compresses = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (compresses) ctx.set('Content-Encoding', 'gzip');
  ctx.body = compresses ? await promisify(gzip)(text) : text;
}
