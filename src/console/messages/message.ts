/** What happened to one message: in a sentence, step by step, with its receipts and the next step. */
import { createHash } from 'node:crypto';
import type { components } from '../../../generated/management.d.ts';
import { type Content, type Html, html } from '../../docs/render/html.ts';
import { wordsOfCondition } from '../../model/words/connectors.ts';
import { attemptWords } from '../../model/words/receipts.ts';
import { reasonOf, wordsOf } from '../../model/words/states.ts';
import { networkOf, starting } from '../../model/words/told.ts';
import { counted } from '../../platform/text/counted.ts';
import { asRefused } from '../errors.ts';
import { icon } from '../layout/icons.ts';
import { at, copyable, facts, panel, resourceLink, top, widePanel, written } from '../layout/parts.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { conversationPanel } from './conversation.ts';
import { productOf, recipientOf } from './message-table.ts';
import { receiptPanel, resendButton } from './receipt-panel.ts';
import { statesOf } from './requests.ts';
import { isSettled, lookOf, type Message, type Receipt, receiptStory, stateOf } from './states.ts';
import { timeline } from './timeline.ts';

/** Enough for the states of any message. */
const mostReceipts = 5;

async function messagePage(page: PageContext) {
  const { api, params, times, may } = page;
  const path = { requestId: params.id ?? '', messageId: params.message ?? '' };
  const { body: message } = await api.call('getMessage', { path });
  const { body: request } = await api.call('getRequest', { path: { requestId: path.requestId } });
  const receipts = await Promise.all(
    message.receiptIds.slice(-mostReceipts).map((id) => receiptOf(id, page)),
  );
  const kept = receipts.filter((receipt) => receipt !== undefined);
  const settled = isSettled(message.state) && kept.every((receipt) => receipt.state !== 'Waiting');
  const place = `Message ${message.position + 1} of ${request.messages}`;
  const { body: conversation } = await api.call('getConversation', { path });
  const last = kept.at(-1);
  const connector = await connectorOf(message, page);
  return {
    title: place,
    refreshes: !settled,
    body: html`${top({
      heading: html`${productOf(message)} to ${recipientOf(message)}`,
      trail: [
        ['/requests', 'Requests'],
        [`/requests/${message.requestId}`, `${message.requestId.slice(0, 8)}…`],
      ],
      state: html`<span id="state">${stateOf(message.state)}</span>`,
      under: html`${place}. Accepted ${times.show(message.acceptedAt)}${
        message.scheduledFor !== undefined && html`, to be sent ${times.show(message.scheduledFor)}`
      }`,
      actions: last === undefined ? [] : [resendButton(last, page)],
    })}${page.query.get('done') === 'resendReceipt' && last !== undefined && posted(last, page)}
<div class="split"><div class="stack">${verdict(message, nextSteps(message, last, connector, page))}
${widePanel('What happened', timeline(message, kept, page), {
  id: 'happened',
  note: !settled && 'Updates until the message is settled',
})}
${conversationPanel(conversation.items, message, page)}
${kept.map((receipt) => receiptPanel(receipt, `Receipt ${receipt.sequence}`, page))}</div>
<aside class="stack" id="about" aria-label="About this message">${panel(
      'About this message',
      facts([
        ['Message', copyable(message.messageId)],
        ['Team', resourceLink('/teams', message.teamId, may('getTeam'))],
        ['Client', resourceLink('/clients', message.clientId, may('getClient'))],
        ['Service', request.serviceId],
        [
          'Campaign',
          request.campaignId && resourceLink('/campaigns', request.campaignId, may('getCampaign')),
        ],
        ['Sender', request.sender],
        ['Channel', message.channel && resourceLink('/channels', message.channel, may('getChannel'))],
        [
          'Connector',
          message.connector && resourceLink('/connectors', message.connector, may('getConnector')),
        ],
        ['Sent from', message.phoneNumberId],
        ['SMS in reserve', other(message.requestId, message.fallbackId)],
        ['In reserve for', other(message.requestId, message.fallbackOf)],
        ['Units', unitsOf(message)],
        ['Parts', message.parts],
        ['Text', 'never shown'],
      ]),
    )}${panel(
      'Its request',
      facts([
        [
          'Request',
          html`<a class="id" href="${at(`/requests/${message.requestId}`)}">${message.requestId}</a>`,
        ],
        ['Correlator', message.correlator && copyable(message.correlator)],
        ['Messages', statesOf(request.states)],
      ]),
    )}</aside></div>`,
  };
}

/** Of the same request. */
const other = (requestId: string, messageId: string | undefined): Html | undefined =>
  messageId === undefined
    ? undefined
    : html`<a class="id" href="${at(`/requests/${requestId}/${messageId}`)}">${messageId}</a>`;

/** Said once a receipt was sent again. */
export function posted(receipt: Receipt, page: PageContext): Html {
  const waits = receiptStory(receipt, page).condition === 'parked';
  const words = waits
    ? 'It is posted again when its endpoint is tried.'
    : 'The receipt is being posted again.';
  return html`<div class="notice good" role="status">${icon('check')}<div>${words}</div></div>`;
}

/** Undefined once it is erased. */
async function receiptOf(receiptId: string, { api }: PageContext): Promise<Receipt | undefined> {
  try {
    return (await api.call('getReceipt', { path: { receiptId } })).body;
  } catch (error) {
    if (asRefused(error).status === 404) return undefined;
    throw error;
  }
}

function verdict(message: Message, steps: readonly Content[]): Html {
  const { heading, sentence } = wordsOf(message);
  const { said, means } = reasonOf(message);
  const [tone, sign] = lookOf(message.state);
  return html`<section class="panel verdict" id="verdict" aria-labelledby="verdict-title"><span class="sign ${tone}">${icon(sign)}</span><h2 id="verdict-title"${isSettled(message.state) && html` data-announce`}>${heading}</h2>
<div class="more"><p>${sentence} ${unitsSentence(message)} The API calls this <code>${message.state}</code>.</p>${
    said !== undefined &&
    html`<p>Why: ${means !== undefined && html`${means} (`}<bdi>${said}</bdi>${means !== undefined && ')'}.</p>`
  }${
    steps.length > 0 &&
    html`<div class="next"><b>${steps.length === 1 ? 'Next step' : 'Next steps'}</b><ol>${steps.map((step) => html`<li>${step}</li>`)}</ol></div>`
  }</div></section>`;
}

type Connector = components['schemas']['Connector'];

/** Whose cause an operator finds at the connector. */
const ofConnector = ['Queued', 'Expired', 'AbsentSubscriber', 'InvalidDenomination', 'Failed'];

/** The connector that its channel has now; undefined where the reader need not, or may not, look at it. */
async function connectorOf(
  { product, channel, state }: Message,
  { api, may }: PageContext,
): Promise<Connector | undefined> {
  if (!ofConnector.includes(state) || channel === undefined || !may('listConnectors')) return undefined;
  const { body } = await api.look(api.operation('listConnectors'), {});
  const { items } = body as { items: Connector[] };
  return items.find(({ uses }) => uses.includes(`${product}/${channel}`));
}

function nextSteps(
  message: Message,
  receipt: Receipt | undefined,
  connector: Connector | undefined,
  page: PageContext,
): Content[] {
  const { next } = wordsOf(message);
  return [
    ...(receipt === undefined ? [] : receiptStep(message, receipt, page)),
    ...(next === undefined
      ? []
      : [html`${next}${connector !== undefined && html` ${connectorNow(connector)}`}`]),
  ];
}

const connectorNow = ({ name, condition, reason }: Connector): Html =>
  html`<a href="${at(`/connectors/${name}`)}">Connector ${name} ${wordsOfCondition(condition).does}</a>${reason !== undefined && html`: “${written(reason)}”`}.`;

/** Why the client does not know yet, with the endpoint where it is mended. */
function receiptStep(message: Message, receipt: Receipt, page: PageContext): Content[] {
  const { condition, sentence, next } = receiptStory(receipt, page);
  if (condition === 'acknowledged' || condition === 'due' || condition === 'unknown') return [];
  const last = receipt.attempts.at(-1);
  return [
    html`The client does not know yet. ${sentence} ${
      last !== undefined &&
      condition !== 'stopped' &&
      html`The last attempt: ${attemptWords(last).toLowerCase()}. `
    }${next} <a href="${at(endpointPath(message.teamId, receipt.callbackUrl))}">Open its endpoint</a>.`,
  ];
}

/** Below `/console`. Some hosts are secrets: the address has a hash of the origin. */
export function endpointPath(teamId: string, url: string): string {
  const origin = URL.canParse(url) ? new URL(url).origin : url;
  return `/endpoints/${teamId}/${createHash('sha256').update(origin).digest('hex').slice(0, 16)}`;
}

function unitsOf({ units, refunded, state: name }: Message): string | undefined {
  if (units === 0) return undefined;
  return `${units}, ${refunded ? 'refunded' : isSettled(name) ? 'spent' : 'debited'}`;
}

function unitsSentence({ units, refunded, state: name, timeline: steps, channel }: Message): string {
  if (units === 0 || !isSettled(name)) return '';
  const them = counted(units, 'unit');
  if (refunded) return `Its ${them} ${units === 1 ? 'was' : 'were'} refunded.`;
  const left = steps.some(({ event }) => event === 'Submitted');
  const isBad = !['Delivered', 'Read'].includes(name);
  return isBad && left
    ? `${starting(networkOf({ channel }))} had accepted it, so its ${them} ${units === 1 ? 'stays' : 'stay'} spent.`
    : `Its ${them} ${units === 1 ? 'is' : 'are'} spent.`;
}

export const messageRoutes: ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/requests/:id/:message',
    operations: ['getMessage', 'getRequest', 'getReceipt', 'getConversation'],
    shared: true,
    handle: messagePage,
  },
];
