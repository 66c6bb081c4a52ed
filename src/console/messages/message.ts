/** What happened to one message: in a sentence, step by step, with its receipts and the next step. */
import { createHash } from 'node:crypto';
import { asRefused } from '../errors.ts';
import { type Content, type Html, html } from '../html.ts';
import { icon } from '../layout/icons.ts';
import { at, facts, panel, resourceLink, state, top, written } from '../layout/parts.ts';
import { counted } from '../layout/spans.ts';
import type { ConsoleRoute, PageContext } from '../page.ts';
import { networkOf, productOf, recipientOf } from './message-table.ts';
import { receiptPanel, resendButton } from './receipt-panel.ts';
import { statesOf } from './requests.ts';
import { attemptWords, isSettled, type Message, type Receipt, reasonWords, wordsOf } from './states.ts';
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
  const { tone, sign, word } = wordsOf(message.state);
  const place = `Message ${message.position + 1} of ${request.messages}`;
  const last = kept.at(-1);
  return {
    title: place,
    refreshes: !settled,
    body: html`${top({
      heading: html`${productOf(message)} to ${recipientOf(message)}`,
      trail: [
        ['/requests', 'Requests'],
        [`/requests/${message.requestId}`, `${message.requestId.slice(0, 8)}…`],
      ],
      state: html`<span id="state">${state(tone, sign, word)}</span>`,
      under: html`${place}. Accepted ${times.show(message.acceptedAt)}${
        message.scheduledFor !== undefined && html`, to be sent ${times.show(message.scheduledFor)}`
      }`,
      actions: last === undefined ? [] : [resendButton(last, page)],
    })}${page.query.get('done') === 'resendReceipt' && posted}
<div class="split"><div class="stack">${verdict(message, last, page)}
<section class="panel" id="happened" aria-labelledby="happened-title"><div class="head"><h2 id="happened-title">What happened</h2>${
      !settled && html`<span class="note">Updates until the message is settled</span>`
    }</div>${timeline(message, kept, page)}</section>
${kept.map((receipt) => receiptPanel(receipt, `Receipt ${receipt.sequence}`, page))}</div>
<aside class="stack" id="about" aria-label="About this message">${panel(
      'About this message',
      facts([
        ['Team', resourceLink('/teams', message.teamId, may('getTeam'))],
        ['Client', resourceLink('/clients', message.clientId, may('getClient'))],
        ['Service', request.serviceId],
        [
          'Campaign',
          request.campaignId && resourceLink('/campaigns', request.campaignId, may('getCampaign')),
        ],
        ['Sender', request.sender],
        ['Channel', message.channel && resourceLink('/channels', message.channel, may('getChannel'))],
        ['Sent from', message.phoneNumberId],
        ['Units', unitsOf(message)],
        ['Parts', message.segments],
        ['Text', 'never shown'],
      ]),
    )}${panel(
      'Its request',
      facts([
        [
          'Request',
          html`<a class="id" href="${at(`/requests/${message.requestId}`)}">${message.requestId}</a>`,
        ],
        ['Correlator', message.correlator && written(message.correlator)],
        ['Messages', statesOf(request.states)],
      ]),
    )}</aside></div>`,
  };
}

export const posted = html`<div class="notice good" role="status">${icon('check')}<div>The receipt is being posted again.</div></div>`;

/** Undefined once it is erased. */
async function receiptOf(receiptId: string, { api }: PageContext): Promise<Receipt | undefined> {
  try {
    return (await api.call('getReceipt', { path: { receiptId } })).body;
  } catch (error) {
    if (asRefused(error).status === 404) return undefined;
    throw error;
  }
}

function verdict(message: Message, receipt: Receipt | undefined, page: PageContext): Html {
  const { tone, sign, heading, sentence } = wordsOf(message.state);
  const reason = reasonWords(message);
  const steps = nextSteps(message, receipt, page);
  return html`<section class="panel verdict" id="verdict" aria-labelledby="verdict-title"><span class="sign ${tone}">${icon(sign)}</span><h2 id="verdict-title"${isSettled(message.state) && html` data-announce`}>${heading(networkOf(message))}</h2>
<div class="more"><p>${sentence} ${unitsSentence(message)} The API calls this <code>${message.state}</code>.</p>${
    reason !== '' && html`<p>Why: <bdi>${reason}</bdi>.</p>`
  }${
    steps.length > 0 &&
    html`<div class="next"><b>${steps.length === 1 ? 'Next step' : 'Next steps'}</b><ol>${steps.map((step) => html`<li>${step}</li>`)}</ol></div>`
  }</div></section>`;
}

function nextSteps(message: Message, receipt: Receipt | undefined, page: PageContext): Content[] {
  const { next } = wordsOf(message.state);
  const last = receipt?.state === 'Delivered' ? undefined : receipt?.attempts.at(-1);
  const opensConnector = ['Queued', 'AbsentSubscriber', 'InvalidDenomination'].includes(message.state);
  return [
    ...(receipt === undefined || last === undefined
      ? []
      : [
          html`The client does not know yet: <a href="${at(endpointPath(message.teamId, receipt.callbackUrl))}">its endpoint</a> did not acknowledge the receipt (${attemptWords(last).toLowerCase()}). Once the team has repaired it, ${
            receipt.state === 'Exhausted' ? 'post the receipt again' : 'release the endpoint'
          }.`,
        ]),
    ...(next === undefined
      ? []
      : [
          html`${next}${opensConnector && message.channel !== undefined && page.may('listConnectors') && html` <a href="${at(`/channels/${message.channel}`)}">Its channel</a> names the connector.`}`,
        ]),
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

function unitsSentence({ units, refunded, state: name, timeline: steps }: Message): string {
  if (units === 0 || !isSettled(name)) return '';
  const them = counted(units, 'unit');
  if (refunded) return `Its ${them} ${units === 1 ? 'was' : 'were'} refunded.`;
  const left = steps.some(({ event }) => event === 'Submitted');
  const isBad = !['Delivered', 'Read'].includes(name);
  return isBad && left
    ? `The network had accepted the message, so its ${them} ${units === 1 ? 'stays' : 'stay'} spent.`
    : `Its ${them} ${units === 1 ? 'is' : 'are'} spent.`;
}

export const messageRoutes: ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/requests/:id/:message',
    operations: ['getMessage', 'getRequest', 'getReceipt'],
    shared: true,
    handle: messagePage,
  },
];
