/** Signs people in and out: with an access key, with the provider, and in the demo with one click. */

import type { Knex } from 'knex';
import type Koa from 'koa';
import { isOwnMachine } from '../../http/routes/own-machine.ts';
import { userAndHashOfKey } from '../../manage/access/users.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { readForm } from '../form-body.ts';
import type { Outcome, Page, Redirect } from '../page.ts';
import { consolePath } from '../path.ts';
import { clearSessionId, sessionIdIn, setSessionId } from './cookies.ts';
import { demoKeyField, isDemoKey } from './demo-key.ts';
import type { Sessions } from './sessions.ts';
import {
  fieldNames,
  type SignInPage,
  signedOutPage,
  signInPage,
  targetOf,
  type Ways,
} from './sign-in-pages.ts';
import type { Sso } from './sso.ts';
import type { SsoSignIn } from './sso-sign-in.ts';
import { type Attempts, noteRefusal, placeOf, sessionHashIn, sessionOf } from './visit.ts';

export interface SignInDependencies {
  knex: Knex;
  secrets: Secrets;
  sessions: Sessions;
  attempts: Attempts;
  sso: { provider: Sso; signIn: SsoSignIn } | undefined;
  /** The access key of the demo's owner; undefined where there is none. */
  demoKey: () => string | undefined;
}

export interface SignIn {
  /** What nobody needs to be signed in for; undefined for any other page. `path` is below `/console`. */
  answer: (ctx: Koa.Context, path: string) => Promise<Outcome | undefined>;
  /** In place of any other page. */
  ask: (ctx: Koa.Context, path: string) => Promise<Page>;
}

export function createSignIn(dependencies: SignInDependencies): SignIn {
  const { knex, secrets, sessions, attempts, sso, demoKey } = dependencies;
  /** The access key of the demo's owner, for a browser on this machine. */
  const demoKeyFor = (ctx: Koa.Context) => (isOwnMachine(ctx) ? demoKey() : undefined);
  /** What shows that a browser opened the link that the start prints; undefined: it did not. */
  const linkKeyIn = (ctx: Koa.Context, fields: URLSearchParams) => {
    const [accessKey, written] = [demoKeyFor(ctx), fields.get(demoKeyField)];
    return accessKey !== undefined && isDemoKey(written, accessKey) ? (written ?? undefined) : undefined;
  };
  const waysFor = (ctx: Koa.Context): Ways => ({
    demo: demoKeyFor(ctx) !== undefined && {
      linkKey: linkKeyIn(ctx, new URLSearchParams(ctx.querystring)),
    },
    sso: sso?.provider.name,
  });
  const page = (ctx: Koa.Context, shown: Omit<SignInPage, 'ways'>) =>
    signInPage({ ways: waysFor(ctx), ...shown });

  async function withKey(ctx: Koa.Context, form: URLSearchParams, key: string): Promise<Page | Redirect> {
    const target = targetOf(form.get(fieldNames.target));
    const refused = attempts.refuse(ctx);
    if (refused !== undefined) return page(ctx, { target, ...refused });
    const found = await userAndHashOfKey({ knex, secrets }, key);
    if (found === undefined) {
      noteRefusal(ctx, 'unknown-user');
      return page(ctx, { target, status: 401, note: { tone: 'bad', words: wrongKey } });
    }
    const tooMany = attempts.refuseUser(ctx, found.user.id);
    if (tooMany !== undefined) return page(ctx, { target, ...tooMany });
    const openedWith = { keyHash: found.keyHash, ssoName: null };
    const id = await sessions.open(found.user, openedWith, placeOf(ctx), sessionHashIn(ctx));
    setSessionId(ctx, id);
    return { redirect: target };
  }

  async function signOut(ctx: Koa.Context): Promise<Page | undefined> {
    const session = await sessionOf(ctx, sessions);
    if (session === undefined) return signedOutPage(undefined);
    await sessions.end(session);
    clearSessionId(ctx);
    return signedOutPage(session.viaSso ? await signOutOf(sso?.provider) : undefined);
  }

  const answers: Readonly<Record<string, (ctx: Koa.Context) => Promise<Outcome | undefined>>> = {
    'GET /sign-in': async (ctx) => {
      const query = new URLSearchParams(ctx.querystring);
      const target = targetOf(query.get(fieldNames.target));
      const note = { tone: 'good', words: 'You are signed out.' } as const;
      return page(ctx, { target, ...(query.has('signed-out') ? { note } : {}) });
    },
    'POST /sign-in': async (ctx) => {
      const form = await readForm(ctx);
      return withKey(ctx, form, form.get(fieldNames.accessKey) ?? '');
    },
    'POST /sign-in/demo': async (ctx) => {
      const accessKey = demoKeyFor(ctx);
      if (accessKey === undefined) return undefined;
      const form = await readForm(ctx);
      if (linkKeyIn(ctx, form) !== undefined) return withKey(ctx, form, accessKey);
      noteRefusal(ctx, 'missing');
      const target = targetOf(form.get(fieldNames.target));
      return page(ctx, { target, status: 401, note: { tone: 'bad', words: noLink } });
    },
    'GET /sign-in/sso': async (ctx) => sso?.signIn.begin(ctx),
    'GET /sign-in/sso/done': async (ctx) => sso?.signIn.finish(ctx),
    'POST /sign-out': signOut,
  };

  return {
    answer: async (ctx, path) => {
      const method = ctx.method === 'HEAD' ? 'GET' : ctx.method;
      return new Map(Object.entries(answers)).get(`${method} ${path}`)?.(ctx);
    },
    ask: async (ctx, path) => {
      noteRefusal(ctx, 'missing');
      const isForm = ctx.method === 'POST';
      const target = targetOf(isForm ? pathOfPage(ctx) : `${path}${ctx.search}`);
      const words = isForm
        ? 'You were signed out, and nothing was sent. Sign in here, and fill in the form again.'
        : 'You were signed out. Sign in here.';
      const wasSignedIn = sessionIdIn(ctx) !== undefined;
      return page(ctx, {
        target,
        status: 401,
        ...(wasSignedIn || isForm ? { note: { tone: 'fair', words } } : {}),
      });
    },
  };
}

/** The page that a form stands on, below `/console`. */
function pathOfPage(ctx: Koa.Context): string | undefined {
  const page = ctx.get('Referer');
  if (!URL.canParse(page)) return undefined;
  const { pathname, search } = new URL(page);
  return `${pathname}${search}`.slice(consolePath.length);
}

const noLink = 'Open the demo with the Console link that the start prints.';
const wrongKey = 'This access key is not valid. Check it, or ask an owner for a new one.';

async function signOutOf(provider: Sso | undefined): Promise<{ name: string; url: string } | undefined> {
  // The session here has ended, whether or not the provider responds.
  const url = await provider?.signOutUrl().catch(() => undefined);
  return provider === undefined || url === undefined ? undefined : { name: provider.name, url };
}
