/** Lists messages, each with its state and the page that says what happened to it. */

import { type Content, type Html, html } from '../../docs/render/html.ts';
import { networkOf, starting } from '../../model/words/told.ts';
import { at } from '../layout/parts.ts';
import { phoneWords } from '../layout/spans.ts';
import { itemTable } from '../lists/item-table.ts';
import type { Listing } from '../lists/list-page.ts';
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

export const messages: Listing<Message> = {
  path: '/messages',
  operation: 'listMessages',
  title: 'Messages',
  one: 'message',
  under: 'To find those to a phone number, use the search above.',
  caption: 'Messages, the newest first',
  empty: 'Nothing was sent yet.',
  columns: [
    { to: 'phone' },
    'state',
    { message: 'product' },
    'channel',
    'teamId',
    { accepted: 'acceptedAt' },
  ],
  cells: {
    phone: (message) => html`<a href="${at(messagePath(message))}">${recipientOf(message)}</a>`,
    state: ({ state }) => stateOf(state),
    product: productOf,
    channel: (message) => starting(networkOf(message)),
  },
};

export const messageTable = (found: readonly Message[], page: PageContext, empty: string): Html =>
  itemTable(messages, found, page, { caption: 'Messages', empty });
