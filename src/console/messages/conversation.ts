/** Shows what a team and a person sent each other around a message, without texts. */
import type { components } from '../../../generated/management.d.ts';
import { type Html, html } from '../../docs/render/html.ts';
import { at, widePanel } from '../layout/parts.ts';
import { itemTable } from '../lists/item-table.ts';
import type { PageContext } from '../page.ts';
import { messagePath } from './message-table.ts';
import { type Message, stateOf } from './states.ts';

type Entry = components['schemas']['ConversationEntry'];

/** `items`: the oldest first, with the message itself. Nothing is shown of somebody who got this message only. */
export function conversationPanel(
  items: readonly Entry[],
  message: Message,
  page: PageContext,
): Html | false {
  if (items.every(({ messageId }) => messageId === message.messageId)) return false;
  const what = ({ messageId, requestId, state, kind }: Entry) => {
    if (requestId === undefined) return kind ?? '–';
    if (messageId === message.messageId) return html`<b>This message</b>`;
    return html`<a href="${at(messagePath({ requestId, messageId }))}">${stateOf(state ?? '')}</a>`;
  };
  const conversation = {
    operation: 'getConversation' as const,
    columns: ['at', { from: 'by' }, { what: 'messageId' }, 'keyword'],
    cells: { messageId: what },
  };
  return widePanel(
    'Conversation',
    itemTable(conversation, items, page, {
      caption: 'Conversation around this message, the oldest first',
      empty: '',
    }),
    { id: 'conversation', note: '24 hours before and after, without texts' },
  );
}
