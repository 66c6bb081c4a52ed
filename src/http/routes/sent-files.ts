/** Sends pages and files of the documentation: compressed, revalidated, and with the headers that fence them in. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type Koa from 'koa';
import type { Asset } from '../../docs/asset-files.ts';

/** What pages may load and call: this service, and nothing of anybody else's. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** Of every page and file. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};

interface Compressed {
  etag: string;
  body: Buffer;
  gzipped: Buffer;
}

/** Keeps the status and the Cache-Control that were set before. */
export type SendText = (ctx: Koa.Context, type: string, text: string) => Promise<void>;

/** For texts that are kept as long as the process: each is compressed once. */
export function createTextSender(): SendText {
  const compressed = new Map<string, Promise<Compressed>>();
  return async (ctx, type, text) => {
    const file = compressed.get(text) ?? compress(text);
    compressed.set(text, file);
    const sent = await file;
    if (type === 'text/html') ctx.set('Content-Security-Policy', pagePolicy.join('; '));
    send(ctx, { ...sent, type });
  };
}

export function sendAsset(ctx: Koa.Context, { integrity, ...file }: Asset): void {
  send(ctx, { ...file, etag: integrity });
}

interface Sent extends Compressed {
  type: string;
}

function send(ctx: Koa.Context, { type, etag, body, gzipped }: Sent): void {
  ctx.set(securityHeaders);
  if (!ctx.res.hasHeader('Cache-Control')) ctx.set('Cache-Control', 'no-cache');
  ctx.vary('Accept-Encoding');
  ctx.type = `${type}; charset=utf-8`;
  const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isCompressed) ctx.set('Content-Encoding', 'gzip');
  ctx.etag = `${etag}${isCompressed ? '-gzip' : ''}`;
  ctx.body = isCompressed ? gzipped : body;
  if (ctx.fresh) ctx.status = 304;
}

async function compress(text: string): Promise<Compressed> {
  return {
    etag: createHash('sha256').update(text).digest('base64url'),
    body: Buffer.from(text),
    gzipped: await promisify(gzip)(text),
  };
}
