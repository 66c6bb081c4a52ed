/** Lists messages, each with its state and the page that says what happened to it. */
import { networkOf, starting } from '../../model/words/told.ts';
import { type Content, type Html, html } from '../html.ts';
import { at, table } from '../layout/parts.ts';
import { phoneWords } from '../layout/spans.ts';
import type { PageContext } from '../page.ts';
import { type Message, stateOf } from './states.ts';

/** Below `/console`. */
export const messagePath = ({ requestId, messageId }: Pick<Message, 'requestId' | 'messageId'>) =>
  `/requests/${requestId}/${messageId}`;

/** What it is: `SMS`, `1GB`, or `Chat-app message`. */
export function productOf({ product, denomination }: Pick<Message, 'product' | 'denomination'>): string {
  if (product === 'MobileData') return denomination ?? 'Bundle';
  return product === 'Sms' ? 'SMS' : 'Chat-app message';
}

export function recipientOf({ phone }: Pick<Message, 'phone'>): Content {
  return phone === undefined ? html`<span class="faint">no longer kept</span>` : phoneWords(phone);
}

export function messageTable(
  messages: readonly Message[],
  { times }: Pick<PageContext, 'times'>,
  empty: string,
): Html {
  return table({
    caption: 'Messages',
    columns: [
      { name: 'To' },
      { name: 'State' },
      { name: 'Message' },
      { name: 'Channel' },
      { name: 'Team' },
      { name: 'Accepted' },
    ],
    rows: messages.map((message) => [
      html`<a href="${at(messagePath(message))}">${recipientOf(message)}</a>`,
      stateOf(message.state),
      productOf(message),
      starting(networkOf(message)),
      html`<a href="${at(`/teams/${message.teamId}`)}">${message.teamId}</a>`,
      times.show(message.acceptedAt),
    ]),
    empty,
  });
}
