/** Whether a request comes from a browser on this machine, which asked for this machine by its name. */
import type Koa from 'koa';

const loopback = /^(localhost|::1|\[::1\]|127(\.\d{1,3}){3})$/;

/**
 * Not through a proxy, and not through a name that somebody else owns: a page elsewhere could have its own name lead
 * to this machine, and would then read what only its owner may see.
 */
export function isOwnMachine({ req, headers }: Pick<Koa.Context, 'req' | 'headers'>): boolean {
  const { remoteAddress = '' } = req.socket;
  const isProxied = ['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via'].some(
    (name) => name in headers,
  );
  return (
    !isProxied &&
    loopback.test(remoteAddress.replace(/^::ffff:/, '')) &&
    loopback.test(hostOf(headers.host ?? ''))
  );
}

function hostOf(header: string): string {
  return header.replace(/:\d+$/, '').toLowerCase();
}
