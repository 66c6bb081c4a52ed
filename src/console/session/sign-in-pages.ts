/** The pages of people who are not signed in. */

import { type Content, type Html, html } from '../../docs/render/html.ts';
import { hiddenField } from '../forms/form.ts';
import { at, notice } from '../layout/parts.ts';
import type { Page } from '../page.ts';
import { demoKeyField } from './demo-key.ts';

/** How people can sign in here. */
export interface Ways {
  /** False: there is none. `linkKey`: of the link that the start prints, if the browser opened it. */
  demo: false | { linkKey: string | undefined };
  /** The name of the provider. */
  sso: string | undefined;
}

/** What to show after the sign-in: a path with its query, below `/console`. */
export type Target = string;

export interface SignInPage {
  ways: Ways;
  target: Target;
  status?: number;
  note?: { tone: 'good' | 'bad' | 'fair'; words: Content };
}

/** The names of the fields of the sign-in form. */
export const fieldNames = { accessKey: 'accessKey', target: 'target' } as const;

export function signInPage({ ways, target, status = 200, note }: SignInPage): Page {
  return {
    title: 'Sign in',
    status,
    body: html`<div class="sign-in"><h1>Tarishi console</h1>
${note !== undefined && notice(note.tone, html`<p>${note.words}</p>`)}
${ways.demo && demoPanel(ways.demo.linkKey, target)}
<form class="form" method="post" action="${at('/sign-in')}">${hiddenTarget(target)}
<div class="field"><label for="access-key">Access key</label>
<input id="access-key" name="${fieldNames.accessKey}" type="password" autocomplete="current-password" required spellcheck="false"></div>
<div class="actions"><button class="button main" type="submit">Sign in</button></div></form>
${ways.sso !== undefined && html`<p>or <a href="${at('/sign-in/sso')}?${new URLSearchParams({ [fieldNames.target]: target }).toString()}">Sign in with ${ways.sso}</a></p>`}</div>`,
  };
}

function demoPanel(linkKey: string | undefined, target: Target): Html {
  const head = html`<div class="head"><h2>Demo</h2></div>`;
  if (linkKey === undefined)
    return html`<section class="panel">${head}<div class="body"><p>The <b>Console</b> link that the start prints opens it with one click.</p></div></section>`;
  return html`<form class="panel" method="post" action="${at('/sign-in/demo')}">${head}<div class="body">
<p>Simulated networks on this machine.</p>${hiddenTarget(target)}${hiddenField(demoKeyField, linkKey)}
<button class="button main" type="submit">Open the demo</button></div></form>`;
}

/** The browser sends the session's cookie only from a page of ours: after the way from the provider, not yet. */
export function continuePage(target: Target): Page {
  return {
    title: 'Signed in',
    body: html`<div class="sign-in"><h1>You are signed in</h1><p><a class="button main" href="${at(target)}">Continue</a></p></div>`,
  };
}

/** `tryAgain`: whether signing in again may help. */
export function ssoFailedPage(status: number, words: Content, tryAgain: boolean): Page {
  return {
    title: 'Not signed in',
    status,
    body: html`<div class="sign-in"><h1>Not signed in</h1>${notice('bad', html`<p>${words}</p>`)}
<p><a class="button" href="${at('/sign-in')}">${tryAgain ? 'Try again' : 'Sign in in another way'}</a></p></div>`,
  };
}

/** Here, but not at the provider, which would sign in whoever clicks next. */
export function signedOutPage(provider: { name: string; url: string } | undefined): Page {
  return {
    title: 'Signed out',
    body: html`<div class="sign-in"><h1>You are signed out</h1>
${provider !== undefined && html`<p>You are still signed in at ${provider.name}. <a href="${provider.url}">Sign out there, too</a></p>`}
<p><a class="button" href="${at('/sign-in')}">Sign in</a></p></div>`,
  };
}

export function refusalPage({
  status,
  heading,
  sentence,
}: {
  status: number;
  heading: string;
  sentence: string;
}): Page {
  return { title: heading, status, body: html`<h1>${heading}</h1><p>${sentence}</p>` };
}

const hiddenTarget = (target: Target) => hiddenField(fieldNames.target, target);

/** A path below `/console` as somebody sent it, with its query; else the first page. */
export function targetOf(written: string | null | undefined): Target {
  const target = written ?? '';
  const isPath = /^\/(?:[\w.~%@:+=,-]+(?:\/[\w.~%@:+=,-]+)*)?(?:\?[\w.~%@:+=,&;/-]*)?$/.test(target);
  // As browsers read it, who take out what leads upward.
  return isPath && new URL(at(target), 'http://localhost').pathname.startsWith(at('/')) ? target : '/';
}
