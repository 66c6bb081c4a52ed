/** Tokens that let a form of a session be sent once, so that a double click acts once. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SentForms } from './repository.ts';

/** The name of the hidden field. */
export const formTokenField = 'formToken';

/** How many sent forms a session remembers. */
export const mostSentForms = 100;

/** `made.random.mac`: milliseconds since 1970 in base 36, and what nobody without the session's id can compute. */
export function makeFormToken(sessionId: string, nowMs: number): string {
  const form = `${nowMs.toString(36)}.${randomBytes(9).toString('base64url')}`;
  return `${form}.${macOf(sessionId, form)}`;
}

/** The form's id; undefined for a token of another session. */
export function formIn(sessionId: string, token: string): string | undefined {
  const [, form, mac] = /^([0-9a-z]{1,11}\.[\w-]{12})\.([\w-]{43})$/.exec(token) ?? [];
  if (form === undefined || mac === undefined) return undefined;
  return timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(sessionId, form))) ? form : undefined;
}

/** What a session remembers after this form; undefined if the form was sent already, or may have been. */
export function sending(form: string, { ids, untilMs }: SentForms): SentForms | undefined {
  if (madeMs(form) <= untilMs || ids.includes(form)) return undefined;
  const sent = [...ids, form].sort((a, b) => madeMs(a) - madeMs(b));
  const forgotten = sent.splice(0, sent.length - mostSentForms).at(-1);
  return { ids: sent, untilMs: forgotten === undefined ? untilMs : madeMs(forgotten) };
}

const madeMs = (form: string) => Number.parseInt(form, 36);

function macOf(sessionId: string, form: string): string {
  return createHmac('sha256', sessionId).update(`form ${form}`).digest('base64url');
}
