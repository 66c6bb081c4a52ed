/** The frame of every page: head, search, navigation by role, and the same with the API. */

import { htmlDocument, menuButton, pagesNavigation } from '../../docs/render/document.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { upTo } from '../../platform/text/counted.ts';
import type { ShownCall } from '../api/api.ts';
import { curlOf } from '../api/curl.ts';
import type { Page } from '../page.ts';
import type { Session } from '../session/sessions.ts';
import type { Counter, Counters } from '../today/counters.ts';
import { icon } from './icons.ts';
import { groups, type NavigationItem, today } from './navigation.ts';
import { at } from './parts.ts';

export interface Frame {
  page: Page;
  /** Undefined: nobody is signed in. */
  session: Session | undefined;
  /** Below `/console`. */
  path: string;
  /** Whether a page is served there that the reader may open, and which takes what is searched for. */
  serves: (method: 'GET' | 'POST', path: string) => boolean;
  calls: readonly ShownCall[];
  /** Beside the pages of the navigation. */
  counters: Counters;
}

export function renderFrame(frame: Frame): Html {
  const { page, session, path, serves, calls } = frame;
  return htmlDocument({
    title: `${page.title} · Tarishi console`,
    asset: (name) => at(`/assets/${name}`),
    styles: ['style.css'],
    head: html`<script type="module" src="${at('/assets/live.js')}"></script>\n`,
    body: html`${header(session, serves)}
${session !== undefined && navigation(session, { ...frame, path: page.section ?? path })}
<main id="main"${page.refreshes && html` data-refreshes data-zone="${session?.timeZone ?? 'UTC'}"`}>
${session?.viewingTeam !== undefined && viewBanner(session.viewingTeam)}${page.body}
${calls.length > 0 && theSame(calls)}
</main>`,
  });
}

function header(session: Session | undefined, serves: Frame['serves']): Html {
  if (session === undefined) return html`<header><a class="name" href="${at('/')}">Tarishi</a></header>`;
  const { user, viewingTeam } = session;
  const scope = viewingTeam ?? user.teamId;
  return html`<header>
${menuButton}
<a class="name" href="${at('/')}">Tarishi</a>
${serves('POST', '/find') && search}
<span class="scope">${scope === undefined ? 'All teams' : `Team ${scope}`}</span>
${chip(session, serves('GET', '/me'))}
</header>`;
}

function viewBanner(team: string): Html {
  return html`<form class="viewing" method="post" action="${at('/view/stop')}">
<p>You see the console as team <b>${team}</b> does, and can change nothing.</p><button class="button" type="submit">Stop</button></form>
`;
}

const search = html`<form class="find" method="post" role="search" action="${at('/find')}">
<label class="unseen" for="find">Find a message</label>${icon('search')}
<input id="find" name="find" type="search" autocomplete="off" required placeholder="Number or its end, id, correlator"><kbd aria-hidden="true">/</kbd>
</form>`;

function chip({ user }: Session, hasPage: boolean): Html {
  const content: Content = html`<span class="face" aria-hidden="true">${user.id.slice(0, 2)}</span><span class="who">${user.id} <span class="role">${user.role}</span></span>`;
  return hasPage
    ? html`<a class="me" href="${at('/me')}">${content}<span class="unseen">Your sign-ins</span></a>`
    : html`<span class="me">${content}</span>`;
}

function navigation(session: Session, { path, serves, counters }: Frame): Html {
  const ofTeam = session.viewingTeam ?? session.user.teamId;
  const link = ({ label, path: target }: NavigationItem) => {
    const isTeam = target === '/teams' && ofTeam !== undefined;
    const shown = isTeam ? { label: 'Team', target: `/teams/${ofTeam}` } : { label, target };
    return html`<a href="${at(shown.target)}"${isCurrent(path, target) && html` aria-current="page"`}>${shown.label}${countOf(counters.get(target))}</a>`;
  };
  const shown = (items: readonly NavigationItem[]) => items.filter((one) => serves('GET', one.path));
  const listed = groups.map(({ name, items }) => ({ name, links: shown(items).map(link) }));
  return pagesNavigation([
    { links: shown([today]).map(link) },
    ...listed.filter(({ links }) => links.length > 0),
  ]);
}

const countOf = (counter: Counter | undefined): Content =>
  counter !== undefined &&
  html` <span class="count ${counter.tone}">${upTo(counter.count, mostCounted)}<span class="unseen"> to look at</span></span>`;

/** The API is asked for no more. */
const mostCounted = 99;

/** Of the pages below it, too. Services have several lists. */
function isCurrent(path: string, target: string): boolean {
  const start = target === '/services/sms' ? '/services' : target;
  const place = path.replace(/^\/new\//, '/');
  return place === start || (target !== '/' && place.startsWith(`${start}/`));
}

function theSame(calls: readonly ShownCall[]): Html {
  return html`<details class="same"><summary>The same with the API</summary><pre tabindex="0">${calls.map(curlOf).join('\n')}</pre></details>`;
}
