/** Whether receipts arrived: their list, one receipt with its attempts, and posting it again. */

import { attemptWords } from '../../model/words/receipts.ts';
import { counted } from '../../platform/text/counted.ts';
import { originOf } from '../../receipts/callback/callback-url.ts';
import { chip, filterForm, filtersOf, filterValues, nextPage } from '../forms/filters.ts';
import { type Content, html } from '../html.ts';
import { at, copyable, table, top, written } from '../layout/parts.ts';
import { phoneWords } from '../layout/spans.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { endpointPath, posted } from './message.ts';
import { messagePath } from './message-table.ts';
import { receiptPanel, resendButton } from './receipt-panel.ts';
import { type Receipt, receiptState, stateOf } from './states.ts';

const path = '/receipts';

async function receiptsPage(page: PageContext) {
  const { api, query } = page;
  // Some hosts are secrets: endpoints have pages of their own, without their origin in the address.
  const filters = filtersOf(api.operation('listReceipts'), page).filter(
    ({ input }) => input.name !== 'origin' && input.name !== 'idStart',
  );
  const endpoint = await endpointIn(page);
  const of = endpoint && { teamId: endpoint.teamId, origin: endpoint.origin };
  const { body } = await api.call('listReceipts', { query: { ...filterValues(filters, page), ...of } });
  const kept = { [endpointFilter]: query.get(endpointFilter) ?? undefined };
  return {
    title: 'Receipts',
    body: html`${top({ heading: 'Receipts', under: 'To find those of a phone number, use the search above.' })}<div class="stack">${await filterForm(path, filters, page, { kept })}${
      endpoint !== undefined &&
      html`<ul class="chips">${chip(path, query, endpointFilter, html`Endpoint: <b>${written(endpoint.origin)}</b> of team ${endpoint.teamId}`)}</ul>`
    }
<section class="panel" aria-label="Receipts, the newest first">${receiptTable(body.items, page, 'No receipt matches. Look further back.')}</section>${nextPage(path, query, body.next)}</div>`,
  };
}

/** The team and the key of an endpoint: some hosts are secrets, and stand in no address. */
export const endpointFilter = 'endpoint';

async function endpointIn({ api, query }: PageContext) {
  const [teamId, endpointKey] = (query.get(endpointFilter) ?? '').split('/');
  if (!teamId || !endpointKey) return undefined;
  return (await api.call('getEndpoint', { path: { teamId, endpointKey } })).body;
}

export function receiptTable(receipts: readonly Receipt[], page: PageContext, empty: string) {
  return table({
    caption: 'Receipts, the newest first',
    columns: [
      { name: 'Receipt of' },
      { name: 'Tells' },
      { name: 'Posted' },
      { name: 'Last attempt' },
      { name: 'Endpoint' },
      { name: 'Team' },
      { name: 'Created' },
    ],
    rows: receipts.map((receipt) => {
      const last = receipt.attempts.at(-1);
      return [
        html`<a href="${at(`${path}/${receipt.receiptId}`)}">${recipientTold(receipt)}</a>`,
        stateTold(receipt),
        receiptState(receipt, page),
        last === undefined
          ? '–'
          : html`${last.status} ${attemptWords(last)}<span class="sub">${counted(receipt.attempts.length, 'attempt')}</span>`,
        html`<a href="${at(endpointPath(receipt.teamId, receipt.callbackUrl))}">${written(originOf(receipt.callbackUrl) ?? receipt.callbackUrl)}</a>`,
        receipt.teamId,
        page.times.show(receipt.createdAt),
      ];
    }),
    empty,
  });
}

/** The number that it tells of; the id of the receipt where none is kept. */
function recipientTold({ body, receiptId }: Receipt): Content {
  const { phone } = told(body);
  return phone === undefined ? html`<span class="id">${receiptId.slice(0, 8)}…</span>` : phoneWords(phone);
}

/** The state that it tells of, as far as it is kept. */
function stateTold({ body, inboundMessageId }: Receipt): Content {
  if (inboundMessageId !== undefined) return 'a message of a person';
  const { deliveryStatus } = told(body);
  return deliveryStatus === undefined ? '–' : stateOf(deliveryStatus);
}

function told(body = '{}'): { phone?: string; deliveryStatus?: string } {
  try {
    const { phone, deliveryStatus } = JSON.parse(body) as Record<string, unknown>;
    return {
      ...(typeof phone === 'string' ? { phone } : {}),
      ...(typeof deliveryStatus === 'string' ? { deliveryStatus } : {}),
    };
  } catch {
    return {};
  }
}

async function receiptPage(page: PageContext) {
  const { api, params, query, times } = page;
  const { body: receipt } = await api.call('getReceipt', { path: { receiptId: params.id ?? '' } });
  const { teamId, callbackUrl } = receipt;
  return {
    title: `Receipt ${receipt.receiptId.slice(0, 8)}`,
    refreshes: receipt.state === 'Waiting',
    body: html`${top({
      heading: html`Receipt <span class="id">${receipt.receiptId.slice(0, 8)}…</span>`,
      trail: [[path, 'Receipts']],
      state: html`<span id="state">${receiptState(receipt, page)}</span>`,
      under: html`${copyable(receipt.receiptId)} Created ${times.show(receipt.createdAt)}`,
      actions: [resendButton(receipt, page, 'Post again')],
    })}${query.get('done') === 'resendReceipt' && posted(receipt, page)}<div class="stack">${receiptPanel(receipt, 'Attempts', page)}
<p class="links">${aboutLink(receipt)}<a href="${at(endpointPath(teamId, callbackUrl))}">Its endpoint</a><span>Team ${written(teamId)}</span></p></div>`,
  };
}

/** What it is about; nothing for a message that a person sent. */
function aboutPath({ requestId, messageId }: Receipt): string | undefined {
  if (requestId === undefined) return undefined;
  return messageId === undefined ? `/requests/${requestId}` : messagePath({ requestId, messageId });
}

function aboutLink(receipt: Receipt): Content {
  const about = aboutPath(receipt);
  if (about === undefined) return false;
  return html`<a href="${at(about)}">${receipt.messageId === undefined ? 'Its request' : 'Its message'}</a>`;
}

export const receiptRoutes: ConsoleRoute[] = [
  { method: 'GET', path, operations: ['listReceipts'], handle: receiptsPage },
  { method: 'GET', path: `${path}/:id`, operations: ['getReceipt'], shared: true, handle: receiptPage },
  {
    method: 'POST',
    path: `${path}/:id/resend`,
    operations: ['resendReceipt'],
    handle: async ({ api, params: { id = '' } }) => {
      const { body } = await api.call('resendReceipt', { path: { receiptId: id } });
      const page = (body.messageId && aboutPath(body)) ?? `${path}/${id}`;
      return { redirect: `${page}?done=resendReceipt` };
    },
  },
];
