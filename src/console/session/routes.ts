/** Pages about the session itself: the user's sign-ins and time zone, and the console as a team sees it. */
import type { Knex } from 'knex';
import { type Content, html } from '../../docs/render/html.ts';
import type { Clock } from '../../platform/clock.ts';
import { notPermitted } from '../errors.ts';
import { buttonForm } from '../forms/button-form.ts';
import { at, notice, panel, table, top } from '../layout/parts.ts';
import type { ConsoleRoute, Page, PageContext } from '../page.ts';
import { browserName } from './browser-name.ts';
import { setTimeZone } from './repository.ts';
import type { Sessions } from './sessions.ts';
import { stopViewing, viewTeam } from './viewing.ts';

export interface SessionRoutesDependencies {
  knex: Knex;
  clock: Clock;
  sessions: Sessions;
}

export function sessionRoutes({ knex, clock, sessions }: SessionRoutesDependencies): ConsoleRoute[] {
  const viewing = { knex, clock };
  return [
    {
      method: 'GET',
      path: '/me',
      operations: [],
      handle: async (page) => mePage(page, await sessions.signIns(page.session)),
    },
    {
      method: 'POST',
      path: '/me/time-zone',
      operations: [],
      handle: async ({ session, form }) => {
        const zone = form.get('timeZone') ?? '';
        if (!timeZones().includes(zone)) return unknownZone;
        await setTimeZone(knex, session.user.id, zone);
        return { redirect: '/me?done=time-zone' };
      },
    },
    {
      method: 'POST',
      path: '/me/sign-out-everywhere',
      operations: [],
      handle: async ({ session }) => {
        await sessions.endAll(session);
        return { redirect: '/sign-in?signed-out' };
      },
    },
    {
      method: 'GET',
      path: '/teams/:id/view',
      operations: ['getTeam'],
      handle: async (page) => viewPage(page),
    },
    {
      method: 'POST',
      path: '/teams/:id/view',
      operations: ['getTeam'],
      handle: async ({ api, session, params }) => {
        if (session.user.teamId !== undefined) return platformOnly;
        await api.call('getTeam', { path: { teamId: params.id ?? '' } });
        await viewTeam(viewing, session, params.id ?? '');
        return { redirect: '/' };
      },
    },
    {
      method: 'POST',
      path: '/view/stop',
      operations: [],
      handle: async ({ session }) => {
        await stopViewing(viewing, session);
        return { redirect: session.viewingTeam === undefined ? '/' : `/teams/${session.viewingTeam}` };
      },
    },
  ];
}

const platformOnly = notPermitted('Only users of the platform may do this.');

const unknownZone: Page = {
  title: 'Not accepted',
  status: 400,
  body: html`${top({ heading: 'Not accepted' })}<p>There is no such time zone.</p>`,
};

/** UTC is not among those that are named after places. */
const timeZones = () => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

function mePage(
  { session, query, times }: PageContext,
  signIns: Awaited<ReturnType<Sessions['signIns']>>,
): Page {
  const { user, timeZone } = session;
  const show = (time: Date) => times.show(time.toISOString());
  const rows = signIns.map(({ createdAt, usedAt, address, browser, viaSso, own }): Content[] => [
    html`${show(createdAt)}${own && html` <b>this one</b>`}`,
    show(usedAt),
    address,
    browserName(browser),
    viaSso ? 'OpenID Connect' : 'Access key',
  ]);
  const signOuts = html`<div class="actions">${buttonForm('/sign-out', 'Sign out')}${buttonForm('/me/sign-out-everywhere', 'Sign out everywhere')}</div>`;
  const zones = html`<form class="form" method="post" action="${at('/me/time-zone')}">
<div class="field"><label for="time-zone">Times are shown in</label>
<select id="time-zone" name="timeZone">${timeZones().map(
    (zone) => html`<option value="${zone}"${zone === timeZone && html` selected`}>${zone}</option>`,
  )}</select></div>
<div class="actions"><button class="button" type="submit">Save</button></div></form>`;
  return {
    title: 'Your sign-ins',
    body: html`${top({ heading: 'Your sign-ins', under: `${user.id}, ${user.role} of ${user.teamId === undefined ? 'the platform' : `team ${user.teamId}`}` })}
${query.get('done') === 'time-zone' && notice('good', html`<p>Saved.</p>`)}
<div class="stack">${panel(
      'Signed in',
      table({
        caption: 'Where you are signed in',
        columns: ['Since', 'Last used', 'Address', 'Browser', 'With'].map((name) => ({ name })),
        rows,
        empty: 'You are signed in nowhere else.',
      }),
      { foot: signOuts },
    )}
${panel('Time zone', zones)}</div>`,
  };
}

async function viewPage({ api, session, params }: PageContext): Promise<Page> {
  const { body: team } = await api.call('getTeam', { path: { teamId: params.id ?? '' } });
  const { user } = session;
  if (user.teamId !== undefined) return platformOnly;
  return {
    title: `See as team ${team.id}`,
    body: html`${top({
      heading: `See as team ${team.id}`,
      trail: [
        ['/teams', 'Teams'],
        [`/teams/${team.id}`, team.id],
      ],
    })}<p>You see what a viewer of the team sees, and can change nothing until you stop.</p>
<p>The audit log of the team will have: <q>${user.id} views team ${team.id}</q></p>
<div class="actions">${buttonForm(`/teams/${team.id}/view`, `See as ${team.id}`, 'main')}<a class="button" href="${at(`/teams/${team.id}`)}">Cancel</a></div>`,
  };
}
