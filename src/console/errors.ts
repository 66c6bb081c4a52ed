/** The pages that say what went wrong, why, and what to do next. */

import { html } from '../docs/render/html.ts';
import { own } from '../platform/text/own.ts';
import { Refused } from './api/refused.ts';
import { top } from './layout/parts.ts';
import type { Page } from './page.ts';

export const notFound: Page = {
  title: 'Not found',
  status: 404,
  body: html`${top({ heading: 'Not found' })}<p>There is no such page, or it belongs to another team.</p>`,
};

export const wrongMethod: Page = {
  title: 'Not a form',
  status: 405,
  body: html`${top({ heading: 'Not a form' })}<p>This page does not take forms.</p>`,
};

export function notPermitted(sentence: string): Page {
  return {
    title: 'Not permitted',
    status: 403,
    body: html`${top({ heading: 'Not permitted' })}<p>${sentence}</p>`,
  };
}

export function internal(requestId: string): Page {
  return {
    title: 'Our fault',
    status: 500,
    body: html`${top({ heading: 'Our fault' })}<p>Something failed in the service. Quote request <code class="id">${requestId}</code> to whoever runs it.</p>`,
  };
}

const headings: Readonly<Record<number, string>> = {
  403: 'Not permitted',
  409: 'Not possible',
  412: 'Changed meanwhile',
  429: 'Try again later',
  503: 'Not reachable',
};

/** Of a call that nobody expected to be refused. */
export function refusedPage(refused: Refused, requestId: string): Page {
  const { status } = refused;
  if (status === 404) return notFound;
  const heading = own(headings, String(status)) ?? (status < 500 ? 'Not accepted' : undefined);
  if (heading === undefined) return internal(requestId);
  return {
    title: heading,
    status,
    body: html`${top({ heading })}${sentencesOf(refused).map((sentence) => html`<p>${sentence}</p>`)}`,
  };
}

/** What the page says of it. */
export function sentencesOf({ status, faults, retryAfterSeconds = 1 }: Refused): readonly string[] {
  if (status === 503) return ['The database is unreachable. Reload to see whether your change was made.'];
  const sentences = faults.map(
    (fault) => `${fault.charAt(0).toUpperCase()}${fault.slice(1)}${/[.!?]$/.test(fault) ? '' : '.'}`,
  );
  return status === 429 ? [...sentences, `Try again in ${waitOf(retryAfterSeconds)}.`] : sentences;
}

function waitOf(seconds: number): string {
  if (seconds >= 120) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}

/** Rethrows what is not a refusal. */
export function asRefused(error: unknown): Refused {
  if (error instanceof Refused) return error;
  throw error;
}
