/** Whether a request comes from a browser on this machine, which asked for this machine by its name. */
import type Koa from 'koa';
import { isLoopbackHost } from '../../platform/text/url.ts';

const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'x-client-ip',
];

/**
 * Not through a proxy, and not through a name that somebody else owns: a page elsewhere could have its own name lead
 * to this machine, and would then read what only its owner may see.
 */
export function isOwnMachine({ req, headers }: Pick<Koa.Context, 'req' | 'headers'>): boolean {
  const { remoteAddress = '' } = req.socket;
  // HTTP/1.0 is what nginx speaks by default, with no header that tells of it and a Host of its own.
  const isProxied = req.httpVersion === '1.0' || proxyHeaders.some((name) => Object.hasOwn(headers, name));
  return (
    !isProxied &&
    isLoopbackHost(remoteAddress.replace(/^::ffff:/, '')) &&
    isLoopbackHost(hostOf(headers.host ?? ''))
  );
}

/** Whether clients reach the service by this machine's own name only. */
export function isOwnUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}

function hostOf(header: string): string {
  return header.replace(/:\d+$/, '').toLowerCase();
}
