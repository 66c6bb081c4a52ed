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
    body: html`${top({ heading: 'Inbound messages', under: 'What people sent to senders of teams. Their texts are not shown here.' })}<div class="stack">${await filterForm(path, filters, page)}
<section class="panel" aria-label="Inbound messages, the newest first">${inboundTable(body.items, page)}</section>${nextPage(path, query, body.next)}</div>`,
  };
}

type InboundMessage = components['schemas']['InboundMessage'];

function inboundTable(messages: readonly InboundMessage[], { times }: PageContext): Html {
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
        : html`<a class="id" href="${at(`/requests/${inReplyTo.requestId}`)}">${inReplyTo.requestId.slice(0, 8)}…</a>`,
      serviceId,
      teamId,
      times.show(receivedAt),
    ]),
    empty: 'Nobody has written. A service receives what people send to its sender.',
  });
}

export const inboundRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['listInboundMessages'], handle: inboundPage },
];
