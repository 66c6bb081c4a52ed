/** The way to the provider and back, in the browser of a person who signs in. */

import type { Knex } from 'knex';
import type Koa from 'koa';
import { userOfSsoName } from '../../manage/access/users.ts';
import type { Departure, Page } from '../page.ts';
import { attemptIn, setAttempt, setSessionId } from './cookies.ts';
import type { Sessions } from './sessions.ts';
import { continuePage, fieldNames, ssoFailedPage, type Target, targetOf } from './sign-in-pages.ts';
import type { Attempt, Sso } from './sso.ts';
import { type Attempts, noteRefusal, placeOf, sessionHashIn } from './visit.ts';

export interface SsoSignInDependencies {
  knex: Knex;
  sessions: Sessions;
  attempts: Attempts;
  provider: Sso;
  /** Told why a sign-in failed. */
  onFault: (error: unknown) => void;
}

export interface SsoSignIn {
  begin: (ctx: Koa.Context) => Promise<Page | Departure>;
  finish: (ctx: Koa.Context) => Promise<Page>;
}

export function createSsoSignIn({
  knex,
  sessions,
  attempts,
  provider,
  onFault,
}: SsoSignInDependencies): SsoSignIn {
  return {
    begin: async (ctx) => {
      const target = targetOf(new URLSearchParams(ctx.querystring).get(fieldNames.target));
      const begun = await provider.begin().catch((error: unknown) => {
        onFault(error);
        return undefined;
      });
      if (begun === undefined)
        return ssoFailedPage(
          503,
          `${provider.name} does not respond. Nothing is wrong with your account.`,
          true,
        );
      setAttempt(ctx, written(begun.attempt, target, sessionHashIn(ctx)));
      return { departure: begun.url };
    },

    finish: async (ctx) => {
      const kept = read(attemptIn(ctx));
      setAttempt(ctx, '');
      if (kept === undefined)
        return failed(ctx, 'This sign-in took too long, or was begun in another browser.');
      const refused = attempts.refuse(ctx);
      if (refused !== undefined) return ssoFailedPage(refused.status, refused.note.words, true);
      const name = await provider.finish(ctx.querystring, kept.attempt).catch((error: unknown) => {
        onFault(error);
        return null;
      });
      if (name === null) return failed(ctx, `${provider.name} did not sign you in.`);
      const user = name === undefined ? undefined : await userOfSsoName(knex, name);
      if (name === undefined || user === undefined)
        return ssoFailedPage(403, 'Nobody here has your account. Ask an owner.', false);
      const tooMany = attempts.refuseUser(ctx, user.id);
      if (tooMany !== undefined) return ssoFailedPage(tooMany.status, tooMany.note.words, true);
      const openedWith = { keyHash: null, ssoName: name };
      setSessionId(ctx, await sessions.open(user, openedWith, placeOf(ctx), kept.formerHash));
      return continuePage(kept.target);
    },
  };
}

function failed(ctx: Koa.Context, words: string): Page {
  noteRefusal(ctx, 'single sign-on');
  return ssoFailedPage(401, words, true);
}

/** In the browser's cookie: nobody else may read it, and it is worth nothing without the provider's code. */
function written({ state, nonce, codeVerifier }: Attempt, target: Target, formerHash = ''): string {
  return [state, nonce, codeVerifier, Buffer.from(target).toString('base64url'), formerHash].join('.');
}

interface Kept {
  attempt: Attempt;
  target: Target;
  /** Of the session that the browser had: on the way back from another site its cookie is not sent. */
  formerHash: string | undefined;
}

function read(cookie: string | undefined): Kept | undefined {
  const [state, nonce, codeVerifier, target, formerHash] = cookie?.split('.') ?? [];
  if (!state || !nonce || !codeVerifier) return undefined;
  return {
    attempt: { state, nonce, codeVerifier },
    target: targetOf(Buffer.from(target ?? '', 'base64url').toString()),
    formerHash: formerHash || undefined,
  };
}
