/** Shows what a team and a person sent each other around one message: when, by whom and what became of it, without texts. */
import { type InboundMessage, inboundMessage } from '../../inbound/published.ts';
import { searchInbound } from '../../read/inbound-repository.ts';
import { type Message, messageOf } from '../../read/messages/message.ts';
import { searchMessages } from '../../read/messages/message-repository.ts';
import { otherNamesOf } from '../../read/person-repository.ts';
import type { Management } from '../management.ts';
import { showMessage } from './messages.ts';

export interface ConversationEntry
  extends Partial<Pick<Message, 'requestId' | 'state'>>,
    Partial<Pick<InboundMessage, 'kind' | 'keyword'>> {
  at: string;
  by: 'Person' | 'Team';
  messageId: string;
}

const aroundMs = 24 * 3_600_000;
/** Of each side, and of the time before and after. */
const mostOfSide = 50;

/** The oldest first, with the message itself. A person may have written under another name than they were written to. */
export async function conversationAround(
  management: Management,
  requestId: string,
  messageId: string,
): Promise<ConversationEntry[]> {
  const message = await showMessage(management, requestId, messageId);
  const { teamId, product, phone, acceptedAt } = message;
  if (phone === undefined) return [];
  const { knex } = management;
  const { hashPhone } = await management.secrets();
  const names = [phone, ...(product === 'ChatApp' ? await otherNamesOf(knex, phone) : [])];
  const between = async (fromMs: number, toMs: number): Promise<ConversationEntry[]> => {
    const period = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
    const entries = await Promise.all(
      names.map(async (name) => {
        const who = { phone: name, phoneHash: hashPhone(name), ...period };
        const filter = { ...who, correlator: undefined, state: undefined };
        const sent = await searchMessages(knex, teamId, filter, undefined, mostOfSide, messageOf);
        const heard = await searchInbound(knex, teamId, who, undefined, mostOfSide, inboundMessage);
        return [
          ...sent.items.filter((one) => one.product === product).map(ofTeam),
          ...heard.items.filter((one) => one.product === product).map(ofPerson),
        ];
      }),
    );
    return entries
      .flat()
      .filter((one) => one.messageId !== messageId)
      .sort((one, other) => one.at.localeCompare(other.at));
  };
  const at = Date.parse(acceptedAt);
  const before = await between(at - aroundMs, at + 1);
  const after = await between(at + 1, at + aroundMs);
  return [...before.slice(1 - mostOfSide), ofTeam(message), ...after.slice(-mostOfSide)];
}

const ofTeam = (
  message: Pick<Message, 'acceptedAt' | 'messageId' | 'requestId' | 'state'>,
): ConversationEntry => ({
  at: message.acceptedAt,
  by: 'Team',
  messageId: message.messageId,
  requestId: message.requestId,
  state: message.state,
});

const ofPerson = ({ receivedAt, messageId, kind, keyword }: InboundMessage): ConversationEntry => ({
  at: receivedAt,
  by: 'Person',
  messageId,
  kind,
  ...(keyword === undefined ? {} : { keyword }),
});
