/** Decides which browser may see a demo's credentials: one on this machine that opened the link printed at the start. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import type { Credentials } from '../../docs/site/personal.ts';
import { isOwnMachine, isOwnUrl } from './own-machine.ts';

export interface DemoVisitors {
  /** The credentials, if this visitor may see them. */
  credentialsFor: (ctx: Koa.Context) => Credentials | undefined;
  /** Sets the cookie of a visitor who opened the link. */
  admit: (ctx: Koa.Context) => void;
}

const cookieName = 'tarishi-demo';

export function createDemoVisitors(
  publicUrl: string,
  demoCredentials: () => Credentials | undefined = () => undefined,
): DemoVisitors {
  const isOwn = isOwnUrl(publicUrl);
  const credentialsOf = (ctx: Koa.Context, key: unknown) => {
    if (!isOwn || typeof key !== 'string' || !isOwnMachine(ctx)) return undefined;
    const credentials = demoCredentials();
    return credentials !== undefined && isEqual(key, keyOf(credentials)) ? credentials : undefined;
  };

  return {
    credentialsFor: (ctx) => credentialsOf(ctx, ctx.cookies.get(cookieName)),
    admit: (ctx) => {
      const { key } = ctx.query;
      if (typeof key !== 'string' || credentialsOf(ctx, key) === undefined) return;
      ctx.cookies.set(cookieName, key, { httpOnly: true, sameSite: 'strict', path: '/docs' });
    },
  };
}

/** The address of the documentation with the key that admits a browser; undefined where no browser is admitted. */
export function demoDocsLink(publicUrl: string, credentials: Credentials | undefined): string | undefined {
  if (credentials === undefined || !isOwnUrl(publicUrl)) return undefined;
  return `${publicUrl}/docs/?key=${keyOf(credentials)}`;
}

/** Who knows it may see both secrets; who knows one of them cannot compute it. */
function keyOf({ clientSecret, signingSecret }: Credentials): string {
  return createHmac('sha256', signingSecret).update(`documentation ${clientSecret}`).digest('base64url');
}

/** In constant time, whatever the lengths. */
function isEqual(a: string, b: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(a), digest(b));
}
