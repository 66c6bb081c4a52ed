/** Lets a form that is sent twice at once act once: the second click of a double click gets the result of the first. */
import { hash } from 'node:crypto';
import type { Stopwatch } from '../../platform/clock.ts';
import { createExpiringMap } from '../../platform/concurrency/expiring-map.ts';

export interface SentForm {
  /** The id of the session. */
  session: string;
  path: string;
  fields: URLSearchParams;
}

/** Acts, unless the same form began to act a moment ago. */
export type Once = <Result>(form: SentForm, act: () => Promise<Result>) => Promise<Result>;

/** How long the result of a form is kept for a second click. */
const doubleClickMs = 3_000;
const recentForms = 200;

export function createOnce(clock: Stopwatch): Once {
  const recent = createExpiringMap<Promise<unknown>>(recentForms, clock);
  return async <Result>({ session, path, fields }: SentForm, act: () => Promise<Result>) => {
    const key = hash('sha256', JSON.stringify([session, path, fields.toString()]), 'base64url');
    const running = recent.get(key) as Promise<Result> | undefined;
    if (running !== undefined) return running;
    const acting = act();
    recent.set(key, acting, doubleClickMs);
    // It may hold a secret that is shown once.
    const forget = () => void setTimeout(() => recent.drop(key, acting), doubleClickMs).unref();
    acting.then(forget, forget);
    return acting;
  };
}
