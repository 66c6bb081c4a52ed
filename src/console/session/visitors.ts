/** Decides what a request to the console may see before any page is looked for: nothing, a sign-in, or all that a user may. */

import type { Knex } from 'knex';
import type Koa from 'koa';
import type { Logger } from 'pino';
import type { Guard } from '../../http/guard.ts';
import type { Clock, Stopwatch } from '../../platform/clock.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import type { Outcome, Page } from '../page.ts';
import { createGate, type GateSettings } from './gate.ts';
import { createSessions, type Session, type Sessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { refusalPage } from './sign-in-pages.ts';
import { createSso, type SsoSettings } from './sso.ts';
import { createSsoSignIn } from './sso-sign-in.ts';
import { createAttempts, sessionOf } from './visit.ts';

export interface VisitorsDependencies {
  knex: Knex;
  secrets: Secrets;
  clock: Clock & Stopwatch;
  logger: Logger;
  guard: Pick<Guard, 'admitLogin'>;
  gate: GateSettings;
  sso: SsoSettings | undefined;
  /** The access key of the demo's owner; undefined where there is none. */
  demoKey: () => string | undefined;
  /** For those who have not chosen one. */
  timeZone: string;
}

export interface Visitors {
  sessions: Sessions;
  /** Undefined: the request may pass. */
  refuse: (ctx: Koa.Context) => Page | undefined;
  /** What nobody needs to be signed in for; undefined for any other page. `path` is below `/console`. */
  answer: (ctx: Koa.Context, path: string) => Promise<Outcome | undefined>;
  sessionOf: (ctx: Koa.Context) => Promise<Session | undefined>;
  /** In place of the page, where there is no session. */
  ask: (ctx: Koa.Context, path: string) => Promise<Page>;
}

export function createVisitors(dependencies: VisitorsDependencies): Visitors {
  const { knex, secrets, clock, logger, guard, gate, sso, demoKey, timeZone } = dependencies;
  const refusalOf = createGate(gate);
  const attempts = createAttempts(guard, clock);
  const sessions = createSessions({ knex, clock, timeZone });
  const provider =
    sso && gate.consoleUrl !== undefined
      ? createSso({ settings: sso, consoleUrl: gate.consoleUrl, clock })
      : undefined;
  // Not the error itself: its cause may be what the provider said of the person.
  const onFault = (error: unknown) =>
    logger.warn({ reason: error instanceof Error ? error.message : undefined }, 'single sign-on failed');
  const signIn = createSignIn({
    knex,
    secrets,
    sessions,
    attempts,
    demoKey,
    sso: provider && {
      provider,
      signIn: createSsoSignIn({ knex, sessions, attempts, provider, onFault }),
    },
  });
  return {
    ...signIn,
    sessions,
    refuse: (ctx) => {
      const refusal = refusalOf(ctx);
      return refusal && refusalPage(refusal);
    },
    sessionOf: (ctx) => sessionOf(ctx, sessions),
  };
}
