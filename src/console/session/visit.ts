/** What a request tells of the person behind it, and what the log and the guard learn of the response. */
import type Koa from 'koa';
import type { Guard } from '../../http/guard.ts';
import type { RequestState } from '../../http/request-state.ts';
import { errors, Rejection } from '../../platform/errors.ts';
import { sessionIdIn } from './cookies.ts';
import type { Place, Session, Sessions } from './sessions.ts';
import type { SignInPage } from './sign-in-pages.ts';

/** Of the request's cookie. A page that asks for itself says so: it is not opened as a document. */
export async function sessionOf(ctx: Koa.Context, sessions: Sessions): Promise<Session | undefined> {
  const id = sessionIdIn(ctx);
  if (id === undefined) return undefined;
  const opensDocument = ['', 'document'].includes(ctx.get('Sec-Fetch-Dest'));
  const session = await sessions.find(id, opensDocument);
  if (session !== undefined) {
    const { id: userId, teamId } = session.user;
    (ctx.state as RequestState).caller = { userId, teamId };
  }
  return session;
}

const longestBrowser = 200;

/** As the audit log and the user's list of sign-ins have it. */
export function placeOf(ctx: Koa.Context): Place {
  const { origin } = ctx.state as RequestState;
  return { address: origin.peer, browser: ctx.get('User-Agent').slice(0, longestBrowser) };
}

/** What to show while too many sign-ins from this address have failed. */
export function admit(
  ctx: Koa.Context,
  guard: Pick<Guard, 'admitLogin'>,
): Pick<SignInPage, 'status' | 'note'> | undefined {
  try {
    guard.admitLogin((ctx.state as RequestState).origin.peer);
    return undefined;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    ctx.set(error.headers);
    const seconds = error.headers['Retry-After'];
    return {
      status: error.status,
      note: { tone: 'bad', words: `Too many attempts. Try again in ${seconds} seconds.` },
    };
  }
}

/** For the log, and for the guard, which counts those that cost something to check. */
export function noteRefusal(ctx: Koa.Context, reason: string): void {
  const rejection = reason === 'missing' ? errors.missingToken() : errors.invalidToken();
  ctx.set(rejection.headers);
  (ctx.state as RequestState).refusal = { slug: rejection.slug, reason };
}
