/** Keeps what cannot be read of what people sent and set: nobody is dropped unheard. */
import { createHash, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { PhoneMessage, PhonePreference } from '../connectors/contract/phone-message.ts';
import type { Events } from '../model/events.ts';
import { recordAtOnce } from '../platform/isolation/record.ts';
import { decodeCoded } from '../platform/text/coded.ts';
import { findAddressees } from './addressee-repository.ts';
import type { Via } from './message.ts';
import { insertUnreadable, type NewUnreadable } from './unreadable-repository.ts';

export interface UnreadableDependencies {
  knex: Knex;
  events: Pick<Events, 'inboundUnreadable'>;
}

/** What cannot be read; a preference: of nobody that we know. */
export type Unread = PhoneMessage | PhonePreference;

/** Stores it, each once. Counts what is new. */
export async function keepUnread(
  { knex, events }: UnreadableDependencies,
  via: Via,
  unread: readonly Unread[],
): Promise<void> {
  if (unread.length === 0) return;
  const kept = await recordAtOnce(knex, async (trx) => {
    const found = await findAddressees(
      trx,
      unread.map(({ to, toId }) => ({ ...via, phone: '', to, toId })),
    );
    const items = unread.map((one, place): NewUnreadable => {
      const addressee = found[place];
      const {
        teamId = null,
        serviceId = null,
        sender = one.to,
      } = typeof addressee === 'object' ? addressee : {};
      const { identity, ...said } = saidIn(one);
      return {
        id: randomUUID(),
        teamId,
        serviceId,
        ...via,
        recipient: sender,
        ...said,
        sender: one.userId ?? one.from ?? null,
        identity: createHash('sha256')
          .update(JSON.stringify([via.connector, identity]))
          .digest('base64url'),
      };
    });
    return insertUnreadable(trx, items);
  });
  for (const { connector, kind, reason } of kept) events.inboundUnreadable(connector, kind, reason);
}

type Said = Pick<NewUnreadable, 'kind' | 'reason' | 'content'> & {
  /** What is the same when it comes again. */
  identity: unknown;
};

function saidIn(one: Unread): Said {
  if ('marketing' in one) {
    const { from, userId, to, toId, marketing, occurredAt } = one;
    return {
      kind: 'Preference',
      reason: 'NoNumber',
      content: marketing ? 'resume' : 'stop',
      // Without a time it cannot be told from another.
      identity: occurredAt === undefined ? randomUUID() : [from, userId, to, toId, marketing, occurredAt],
    };
  }
  const { body, identity, repeatedWithinSeconds } = one;
  if ('unreadable' in body) {
    const { kind, reason, text } = body.unreadable;
    return { kind, reason, content: text, identity };
  }
  const message = { kind: 'Message', reason: 'NoNumber' } as const;
  // Networks without ids repeat a message for a while, and people say the same again later.
  const own = repeatedWithinSeconds === null ? identity : randomUUID();
  if ('part' in body) return { ...message, content: decodeCoded([body.part]), identity: own };
  return { ...message, content: body.content.text, identity: own };
}
