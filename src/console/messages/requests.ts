/** What was sent: requests with their filters, and one request with its messages. */

import type { components } from '../../../generated/management.d.ts';
import { type Html, html } from '../../docs/render/html.ts';
import { buttonForm } from '../forms/button-form.ts';
import { nextPage } from '../forms/filters.ts';
import { icon } from '../layout/icons.ts';
import { at, copyable, facts, panel, resourceLink, top, widePanel, written } from '../layout/parts.ts';
import { itemTable } from '../lists/item-table.ts';
import { type Listing, listRoute } from '../lists/list-page.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { messages, messageTable } from './message-table.ts';
import { isSettled, stateOf } from './states.ts';

const path = '/requests';

const cancelled = html`<div class="notice good" role="status">${icon('check')}<div>What had not left is cancelled. The states below say what had.</div></div>`;

type Request = components['schemas']['AcceptedRequest'];

const requests: Listing<Request> = {
  path,
  operation: 'listRequests',
  title: 'Requests',
  one: 'request',
  under: 'To find one by its correlator, use the search above.',
  caption: 'Requests, the newest first',
  empty: 'Nothing was sent yet.',
  columns: ['requestId', 'states', 'product', 'teamId', 'clientId', { accepted: 'acceptedAt' }],
  cells: {
    requestId: ({ requestId }) =>
      html`<a class="id" href="${at(`${path}/${requestId}`)}">${requestId.slice(0, 13)}…</a>`,
    states: ({ states }) => statesOf(states),
  },
};

export const requestTable = (found: readonly Request[], page: PageContext, empty: string): Html =>
  itemTable(requests, found, page, { caption: 'Requests', empty });

export const statesOf = (states: Readonly<Record<string, number>>) =>
  html`<span class="links">${Object.entries(states).map(([name, count]) => html`<span>${count} × ${stateOf(name)}</span>`)}</span>`;

async function requestPage(page: PageContext) {
  const { api, params, query, times, may } = page;
  const { id: requestId = '' } = params;
  const { body: request } = await api.call('getRequest', { path: { requestId } });
  const { body: its } = await api.call('listRequestMessages', {
    path: { requestId },
    query: { limit: 100, cursor: query.get('cursor') ?? undefined },
  });
  const settled = Object.keys(request.states).every(isSettled);
  return {
    title: `Request ${requestId.slice(0, 8)}`,
    refreshes: !settled,
    body: html`${top({
      heading: html`Request <span class="id">${requestId.slice(0, 8)}…</span>`,
      trail: [[path, 'Requests']],
      under: html`Accepted ${times.show(request.acceptedAt)}${
        request.scheduledFor !== undefined && html`, to be sent ${times.show(request.scheduledFor)}`
      }`,
      actions: [
        !settled && may('cancelRequest') && buttonForm(`${path}/${requestId}/cancel`, 'Cancel what waits'),
      ],
    })}${query.get('done') === 'cancelRequest' && cancelled}<div class="split"><div class="stack">${widePanel(
      'Its messages',
      messageTable(its.items, page, 'The request has no messages.'),
      {
        id: 'messages',
        note: settled ? 'All messages are final' : 'Updates until all messages are final',
      },
    )}${nextPage(`${path}/${requestId}`, query, its.next)}</div>
<aside class="stack" id="about" aria-label="About this request">${panel(
      'About this request',
      facts([
        ['Request', copyable(requestId)],
        ['States', statesOf(request.states)],
        ['Team', resourceLink('/teams', request.teamId, may('getTeam'))],
        ['Client', resourceLink('/clients', request.clientId, may('getClient'))],
        ['Service', request.serviceId],
        [
          'Campaign',
          request.campaignId && resourceLink('/campaigns', request.campaignId, may('getCampaign')),
        ],
        ['Sender', request.sender],
        ['Correlator', request.correlator && copyable(request.correlator)],
        ['Receipts go to', request.callbackUrl && written(request.callbackUrl)],
      ]),
      { foot: html`<a href="${at(`/receipts?requestId=${requestId}`)}">Its receipts</a>` },
    )}</aside></div>`,
  };
}

export const requestRoutes: ConsoleRoute[] = [
  listRoute(requests),
  listRoute(messages),
  {
    method: 'GET',
    path: `${path}/:id`,
    operations: ['getRequest', 'listRequestMessages'],
    shared: true,
    handle: requestPage,
  },
  {
    method: 'POST',
    path: `${path}/:id/cancel`,
    operations: ['cancelRequest'],
    handle: async ({ api, params: { id = '' } }) => {
      await api.call('cancelRequest', { path: { requestId: id } });
      return { redirect: `${path}/${id}?done=cancelRequest` };
    },
  },
];
