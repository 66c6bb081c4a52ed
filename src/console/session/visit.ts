/** What a request tells of the person behind it, and what the log and the guard learn of the response. */
import type Koa from 'koa';
import { createAllowance } from '../../http/allowance.ts';
import { signInsBurst, signInsPerSecond } from '../../http/bounds.ts';
import type { Guard } from '../../http/guard.ts';
import type { RequestState } from '../../http/request-state.ts';
import type { Stopwatch } from '../../platform/clock.ts';
import { errors, Rejection } from '../../platform/errors.ts';
import { sessionIdIn } from './cookies.ts';
import { hashOf, type Place, type Session, type Sessions } from './sessions.ts';
import type { SignInPage } from './sign-in-pages.ts';

/** The hash of the id of the session that the browser has, or had. */
export function sessionHashIn(ctx: Koa.Context): string | undefined {
  const id = sessionIdIn(ctx);
  return id === undefined ? undefined : hashOf(id);
}

/** A page says so by its browser: it is not opened as a document. */
export const asksForItself = (ctx: Koa.Context) => !['', 'document'].includes(ctx.get('Sec-Fetch-Dest'));

/** Of the request's cookie. */
export async function sessionOf(ctx: Koa.Context, sessions: Sessions): Promise<Session | undefined> {
  const id = sessionIdIn(ctx);
  if (id === undefined) return undefined;
  const session = await sessions.find(id, !asksForItself(ctx));
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

/** A page's status and note. */
type TooMany = Required<Pick<SignInPage, 'status' | 'note'>>;

/** What to show while somebody tries too often; undefined: they may go on. */
export interface Attempts {
  /** Before a key or a response is checked: for an address from which too many were wrong. */
  refuse: (ctx: Koa.Context) => TooMany | undefined;
  /** Before a session is opened, which counts: for a user who opens too many. */
  refuseUser: (ctx: Koa.Context, userId: string) => TooMany | undefined;
}

export function createAttempts(guard: Pick<Guard, 'admitLogin'>, clock: Stopwatch): Attempts {
  const signIns = createAllowance({ burst: signInsBurst, perSecond: signInsPerSecond }, clock);
  const refused = (ctx: Koa.Context, check: () => void): TooMany | undefined => {
    try {
      check();
      return undefined;
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      ctx.set(error.headers);
      const words = `Too many attempts. Try again in ${error.headers['Retry-After']} seconds.`;
      return { status: error.status, note: { tone: 'bad', words } };
    }
  };
  return {
    refuse: (ctx) => refused(ctx, () => guard.admitLogin((ctx.state as RequestState).origin.peer)),
    refuseUser: (ctx, userId) =>
      refused(ctx, () => {
        const waitSeconds = signIns.waitSeconds(userId);
        if (waitSeconds > 0) throw errors.tooManyRejectedRequests(waitSeconds);
        signIns.spend(userId, 1);
      }),
  };
}

/** For the log, and for the guard, which counts those that cost something to check. */
export function noteRefusal(ctx: Koa.Context, reason: string): void {
  const rejection = reason === 'missing' ? errors.missingToken() : errors.invalidToken();
  ctx.set(rejection.headers);
  (ctx.state as RequestState).refusal = { slug: rejection.slug, reason };
}
