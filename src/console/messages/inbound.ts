/** What people sent to senders of teams: who to whom and when. Texts are for the teams' own programs. */
import type { components } from '../../../generated/management.d.ts';
import { filterForm, filtersOf, filterValues, nextPage } from '../forms/filters.ts';
import { type Html, html } from '../html.ts';
import { at, table, top } from '../layout/parts.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';

const path = '/inbound';

async function inboundPage(page: PageContext) {
  const { api, query } = page;
  // A phone number must not be in an address.
  const filters = filtersOf(api.operation('listInboundMessages'), page).filter(
    ({ input }) => input.name !== 'phone',
  );
  const { body } = await api.call('listInboundMessages', { query: filterValues(filters, page) });
  return {
    title: 'Inbound messages',
    body: html`${top({ heading: 'Inbound messages', under: 'What people sent to senders of teams. Their texts are not shown here.' })}<p><a href="${at(unreadablePath)}">What could not be read</a></p><div class="stack">${await filterForm(path, filters, page)}
<section class="panel" aria-label="Inbound messages, the newest first">${inboundTable(body.items, page)}</section>${nextPage(path, query, body.next)}</div>`,
  };
}

type InboundMessage = components['schemas']['InboundMessage'];

export function inboundTable(
  messages: readonly InboundMessage[],
  { times }: PageContext,
  empty = 'Nobody has written. A service receives what people send to its sender.',
): Html {
  return table({
    caption: 'Inbound messages, the newest first',
    columns: ['From', 'To', 'Kind', 'Word', 'Replies to', 'Service', 'Team', 'Received'].map((name) => ({
      name,
    })),
    rows: messages.map(({ from, to, kind, keyword, inReplyTo, serviceId, teamId, receivedAt }) => [
      from ?? 'erased',
      to,
      kind,
      keyword ?? '–',
      inReplyTo === undefined
        ? '–'
        : html`<a class="id" href="${at(`/requests/${inReplyTo.requestId}`)}">${inReplyTo.requestId.slice(0, 13)}…</a>`,
      serviceId,
      teamId,
      times.show(receivedAt),
    ]),
    empty,
  });
}

const unreadablePath = '/inbound/unreadable';

async function unreadablePage(page: PageContext) {
  const { api, query, times } = page;
  const filters = filtersOf(api.operation('listUnreadableInbound'), page);
  const { body } = await api.call('listUnreadableInbound', { query: filterValues(filters, page) });
  const heading = 'Unreadable inbound messages';
  return {
    title: heading,
    body: html`${top({ heading, under: 'What people sent or set, and networks reported, that could not be read.' })}<div class="stack">${await filterForm(unreadablePath, filters, page)}
<section class="panel" aria-label="${heading}, the newest first">${table({
      caption: `${heading}, the newest first`,
      columns: ['What', 'Why', 'From', 'To', 'Team', 'Connector', 'Received'].map((name) => ({
        name,
      })),
      rows: body.items.map((item) => [
        item.kind,
        item.reason,
        item.from ?? '–',
        item.to ?? '–',
        item.teamId ?? '–',
        item.connector,
        times.show(item.receivedAt),
      ]),
      empty: 'All that came could be read.',
    })}</section>${nextPage(unreadablePath, query, body.next)}</div>`,
  };
}

export const inboundRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['listInboundMessages'], handle: inboundPage },
  { method: 'GET', path: unreadablePath, operations: ['listUnreadableInbound'], handle: unreadablePage },
];
