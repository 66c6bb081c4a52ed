/** The cookies of the console: its session, and an attempt to sign in with the provider. Browsers send them over TLS, or on this machine. */
import type Koa from 'koa';
import { longestHours } from './repository.ts';

/** The name says that no other host and no plain HTTP can have set them (RFC 6265bis, 4.1.3.2). */
const session = '__Host-tarishi-console';
const attempt = '__Host-tarishi-console-sso';
const attemptSeconds = 600;

type Context = Pick<Koa.Context, 'get' | 'append'>;

/** What may be a session's id. */
export function sessionIdIn(ctx: Context): string | undefined {
  const value = cookieIn(ctx, session);
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : undefined;
}

export function setSessionId(ctx: Context, id: string): void {
  setCookie(ctx, session, id, { sameSite: 'Strict', seconds: longestHours * 3_600 });
}

export function clearSessionId(ctx: Context): void {
  setCookie(ctx, session, '', { sameSite: 'Strict', seconds: 0 });
}

/** What the provider's response is compared with: it comes from another site, so that a Strict cookie would be missing. */
export function attemptIn(ctx: Context): string | undefined {
  return cookieIn(ctx, attempt);
}

/** An empty one ends the attempt. */
export function setAttempt(ctx: Context, value: string): void {
  setCookie(ctx, attempt, value, { sameSite: 'Lax', seconds: value === '' ? 0 : attemptSeconds });
}

function cookieIn(ctx: Context, name: string): string | undefined {
  const start = `${name}=`;
  const found = ctx
    .get('Cookie')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(start));
  return found?.slice(start.length) || undefined;
}

function setCookie(
  ctx: Context,
  name: string,
  value: string,
  { sameSite, seconds }: { sameSite: 'Strict' | 'Lax'; seconds: number },
): void {
  const attributes = `Path=/; Max-Age=${seconds}; HttpOnly; Secure; SameSite=${sameSite}`;
  // Koa's own would refuse Secure on plain HTTP, which browsers accept on this machine.
  ctx.append('Set-Cookie', `${name}=${value}; ${attributes}`);
}
