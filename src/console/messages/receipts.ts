/** Whether receipts arrived: their list, one receipt with its attempts, and posting it again. */
import { attemptWords } from '../../model/words/receipts.ts';
import { originOf } from '../../receipts/callback/callback-url.ts';
import { filterForm, filtersOf, filterValues, nextPage } from '../forms/filters.ts';
import { type Content, html } from '../html.ts';
import { at, table, top, written } from '../layout/parts.ts';
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
  const { body } = await api.call('listReceipts', { query: filterValues(filters, page) });
  return {
    title: 'Receipts',
    body: html`${top({ heading: 'Receipts' })}<div class="stack">${await filterForm(path, filters, page)}
<section class="panel" aria-label="Receipts, the newest first">${receiptTable(body.items, page, 'No receipt matches. Look further back.')}</section>${nextPage(path, query, body.next)}</div>`,
  };
}

export function receiptTable(receipts: readonly Receipt[], page: PageContext, empty: string) {
  return table({
    caption: 'Receipts, the newest first',
    columns: [
      { name: 'Receipt' },
      { name: 'Of' },
      { name: 'State' },
      { name: 'Last attempt' },
      { name: 'Attempts', isNumber: true },
      { name: 'Endpoint' },
      { name: 'Team' },
      { name: 'Created' },
    ],
    rows: receipts.map((receipt) => {
      const last = receipt.attempts.at(-1);
      return [
        html`<a class="id" href="${at(`${path}/${receipt.receiptId}`)}">${receipt.receiptId.slice(0, 8)}…</a>`,
        subjectOf(receipt),
        receiptState(receipt, page),
        last === undefined ? '–' : `${last.status ?? ''} ${attemptWords(last)}`,
        receipt.attempts.length,
        html`<a href="${at(endpointPath(receipt.teamId, receipt.callbackUrl))}">${written(originOf(receipt.callbackUrl) ?? receipt.callbackUrl)}</a>`,
        receipt.teamId,
        page.times.show(receipt.createdAt),
      ];
    }),
    empty,
  });
}

/** The number and the state that it tells of, as far as they are kept. */
function subjectOf({ body, inboundMessageId }: Receipt): Content {
  if (inboundMessageId !== undefined) return 'a message of a person';
  const { phone, deliveryStatus } = told(body);
  if (deliveryStatus === undefined) return '–';
  return html`${stateOf(deliveryStatus)}${phone !== undefined && html`<span class="sub">${phoneWords(phone)}</span>`}`;
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
      under: html`Created ${times.show(receipt.createdAt)}`,
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
