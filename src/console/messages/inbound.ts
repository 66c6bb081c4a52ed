/** What people sent to senders of teams: who to whom and when. Texts are for the teams' own programs. */
import type { components } from '../../../generated/management.d.ts';
import { type Html, html } from '../../docs/render/html.ts';
import { at } from '../layout/parts.ts';
import { show } from '../layout/values.ts';
import { itemTable } from '../lists/item-table.ts';
import { type Listing, listRoute } from '../lists/list-page.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';

type Schemas = components['schemas'];

const unreadable: Listing<Schemas['UnreadableInbound']> = {
  path: '/inbound/unreadable',
  operation: 'listUnreadableInbound',
  title: 'Unreadable inbound messages',
  one: 'message',
  under: 'What people sent or set, and networks reported, that could not be read.',
  caption: 'Unreadable inbound messages, the newest first',
  empty: 'All that came could be read.',
  columns: [
    { what: 'kind' },
    { why: 'reason' },
    'from',
    'to',
    'teamId',
    'connector',
    { received: 'receivedAt' },
  ],
};

const inbound: Listing<Schemas['InboundMessage']> = {
  path: '/inbound',
  operation: 'listInboundMessages',
  title: 'Inbound messages',
  one: 'message',
  under: 'What people sent to senders of teams. Their texts are not shown here.',
  caption: 'Inbound messages, the newest first',
  empty: 'Nobody has written. A service receives what people send to its sender.',
  above: () => html`<p><a href="${at(unreadable.path)}">What could not be read</a></p>`,
  columns: [
    'from',
    'to',
    'kind',
    'keyword',
    { 'replies to': 'inReplyTo' },
    'serviceId',
    'teamId',
    { received: 'receivedAt' },
  ],
  cells: {
    from: ({ from }) => from ?? 'erased',
    serviceId: ({ product, serviceId }, page) =>
      show(product === 'ChatApp' ? 'chatAppServiceId' : 'serviceId', undefined, serviceId, page),
    inReplyTo: ({ inReplyTo }) =>
      inReplyTo === undefined
        ? '–'
        : html`<a class="id" href="${at(`/requests/${inReplyTo.requestId}`)}">${inReplyTo.requestId.slice(0, 13)}…</a>`,
  },
};

export const inboundTable = (
  found: readonly Schemas['InboundMessage'][],
  page: PageContext,
  empty: string,
): Html => itemTable(inbound, found, page, { caption: 'Inbound messages', empty });

export const inboundRoutes: ConsoleRoute[] = [listRoute(inbound), listRoute(unreadable)];
