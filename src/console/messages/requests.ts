/** What was sent: requests with their filters, and one request with its messages. */

import type { components } from '../../../generated/management.d.ts';
import { buttonForm } from '../forms/button-form.ts';
import { filterForm, filtersOf, filterValues, nextPage } from '../forms/filters.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../layout/icons.ts';
import { at, copyable, facts, panel, resourceLink, table, top, written } from '../layout/parts.ts';
import { wordOf } from '../layout/values.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { messageTable } from './message-table.ts';
import { isSettled, stateOf } from './states.ts';

const path = '/requests';

const cancelled = html`<div class="notice good" role="status">${icon('check')}<div>What had not left is cancelled. The states below say what had.</div></div>`;

/** Filters that may hold a phone number are searched for in the head of the page, which keeps them out of addresses. */
const posted = ['phone', 'phoneEnd', 'correlator', 'idStart'];

async function requestsPage(page: PageContext) {
  const { api, query } = page;
  const filters = filtersOf(api.operation('listRequests'), page).filter(
    ({ input }) => !posted.includes(input.name),
  );
  const { body } = await api.call('listRequests', { query: filterValues(filters, page) });
  return {
    title: 'Requests',
    body: html`${top({ heading: 'Requests', under: 'To find one by its correlator, use the search above.' })}<div class="stack">${await filterForm(path, filters, page)}
<section class="panel" aria-label="Requests, the newest first">${requestTable(body.items, page, 'No request matches. Look further back.')}</section>${nextPage(path, query, body.next)}</div>`,
  };
}

type Request = components['schemas']['AcceptedRequest'];

export function requestTable(requests: readonly Request[], { times }: PageContext, empty: string): Html {
  return table({
    caption: 'Requests, the newest first',
    columns: [
      { name: 'Request' },
      { name: 'States' },
      { name: 'Product' },
      { name: 'Team' },
      { name: 'Client' },
      { name: 'Accepted' },
    ],
    rows: requests.map((request) => [
      html`<a class="id" href="${at(`${path}/${request.requestId}`)}">${request.requestId.slice(0, 13)}…</a>`,
      statesOf(request.states),
      wordOf(request.product),
      request.teamId,
      request.clientId,
      times.show(request.acceptedAt),
    ]),
    empty,
  });
}

export const statesOf = (states: Readonly<Record<string, number>>) =>
  html`<span class="links">${Object.entries(states).map(([name, count]) => html`<span>${count} × ${stateOf(name)}</span>`)}</span>`;

async function requestPage(page: PageContext) {
  const { api, params, query, times, may, session } = page;
  const { id: requestId = '' } = params;
  const { body: request } = await api.call('getRequest', { path: { requestId } });
  const { body: messages } = await api.call('listRequestMessages', {
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
        !settled &&
          may('cancelRequest') &&
          buttonForm(`${path}/${requestId}/cancel`, session, 'Cancel what waits'),
      ],
    })}${query.get('done') === 'cancelRequest' && cancelled}<div class="split"><div class="stack"><section class="panel" id="messages"><div class="head"><h2>Its messages</h2><span class="note">${
      settled ? 'All messages are final' : 'Updates until all messages are final'
    }</span></div>${messageTable(messages.items, page, 'The request has no messages.')}</section>${nextPage(`${path}/${requestId}`, query, messages.next)}</div>
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

async function messagesPage(page: PageContext) {
  const { api, query } = page;
  const filters = filtersOf(api.operation('listMessages'), page).filter(
    ({ input }) => !posted.includes(input.name),
  );
  const { body } = await api.call('listMessages', { query: filterValues(filters, page) });
  const empty =
    body.next === undefined ? 'No message matches.' : 'No message matches here. Look further back.';
  return {
    title: 'Messages',
    body: html`${top({ heading: 'Messages', under: 'To find those to a phone number, use the search above.' })}<div class="stack">${await filterForm('/messages', filters, page)}
<section class="panel" aria-label="Messages, the newest first">${messageTable(body.items, page, empty)}</section>${nextPage('/messages', query, body.next)}</div>`,
  };
}

export const requestRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['listRequests'], handle: requestsPage },
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
  { method: 'GET', path: '/messages', operations: ['listMessages'], handle: messagesPage },
];
