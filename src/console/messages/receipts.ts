/** Whether receipts arrived: their list, one receipt with its attempts, and posting it again. */

import { type Content, type Html, html } from '../../docs/render/html.ts';
import { attemptWords } from '../../model/words/receipts.ts';
import { counted } from '../../platform/text/counted.ts';
import { originOf } from '../../receipts/callback/callback-url.ts';
import { at, copyable, top, written } from '../layout/parts.ts';
import { phoneWords } from '../layout/spans.ts';
import { itemTable } from '../lists/item-table.ts';
import { type Listing, listRoute } from '../lists/list-page.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { endpointPath, posted } from './message.ts';
import { messagePath } from './message-table.ts';
import { receiptPanel, resendButton } from './receipt-panel.ts';
import { type Receipt, receiptState, stateOf } from './states.ts';

const path = '/receipts';

/** The team and the key of an endpoint: some hosts are secrets, and stand in no address. */
export const endpointFilter = 'endpoint';

const receipts: Listing<Receipt> = {
  path,
  operation: 'listReceipts',
  title: 'Receipts',
  one: 'receipt',
  under: 'To find those of a phone number, use the search above.',
  caption: 'Receipts, the newest first',
  empty: 'No receipt was made yet.',
  narrowedTo: async ({ api, query }) => {
    const [teamId, endpointKey] = (query.get(endpointFilter) ?? '').split('/');
    if (!teamId || !endpointKey) return undefined;
    const { body } = await api.call('getEndpoint', { path: { teamId, endpointKey } });
    const { origin } = body;
    return {
      query: { teamId, origin },
      name: endpointFilter,
      words: html`Endpoint: <b>${written(origin)}</b> of team ${teamId}`,
    };
  },
  columns: [
    { 'receipt of': 'receiptId' },
    { tells: 'body' },
    { posted: 'state' },
    { 'last attempt': 'attempts' },
    { endpoint: 'callbackUrl' },
    { created: 'createdAt' },
  ],
  cells: {
    receiptId: (receipt) =>
      html`<a href="${at(`${path}/${receipt.receiptId}`)}">${recipientTold(receipt)}</a>`,
    body: stateTold,
    state: receiptState,
    attempts: ({ attempts }) => {
      const last = attempts.at(-1);
      return last === undefined
        ? '–'
        : html`${last.status} ${attemptWords(last)}<span class="sub">${counted(attempts.length, 'attempt')}</span>`;
    },
    callbackUrl: ({ teamId, callbackUrl }, { reader }) =>
      html`<a href="${at(endpointPath(teamId, callbackUrl))}">${written(originOf(callbackUrl) ?? callbackUrl)}</a>${reader.teamId === undefined && html`<span class="sub">of ${teamId}</span>`}`,
  },
};

export const receiptTable = (found: readonly Receipt[], page: PageContext, empty: string): Html =>
  itemTable(receipts, found, page, { caption: 'Receipts', empty });

const ofEndpoint = {
  ...receipts,
  columns: receipts.columns?.filter((one) => typeof one === 'string' || !('endpoint' in one)),
};

/** All of them are posted to one endpoint. */
export const receiptsOfEndpoint: typeof receiptTable = (found, page, empty) =>
  itemTable(ofEndpoint, found, page, { caption: 'Receipts', empty });

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
  listRoute(receipts),
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
