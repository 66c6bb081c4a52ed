/** Keeps what cannot be read of what people sent, such as messages without a number; a STOP among them is not lost. */
import { createHash, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { PhoneIdentity, PhoneMessage, PhonePreference } from '../connectors/contract/phone-message.ts';
import type { Events } from '../model/events.ts';
import { recordAtOnce } from '../platform/isolation/record.ts';
import { decodeCoded } from '../platform/text/coded.ts';
import { addOptOuts, type HashPhone, removeOptOuts } from '../products/consent/opt-out-repository.ts';
import { askedBy, keywordOf } from '../products/consent/words.ts';
import type { PhoneParser } from '../products/phone/parse.ts';
import { findAddressees } from './addressee-repository.ts';
import {
  findIdentities,
  findNews,
  type Identity,
  lockPersons,
  saveIdentities,
} from './identity-repository.ts';
import { wordsOfServices } from './keyword-repository.ts';
import { phoneOf, type Via } from './message.ts';
import { takeDecisions } from './preference-repository.ts';
import { insertUnreadable, type NewUnreadable, takeWaiting } from './unreadable-repository.ts';

export interface UnreadableDependencies {
  knex: Knex;
  parsePhone: PhoneParser;
  hashPhone: HashPhone;
  events: Pick<Events, 'inboundUnreadable'>;
}

/** What cannot be read; a preference: of nobody whose number is known. */
export type Unread = PhoneMessage | PhonePreference;

/** Stores it, each once, with what it asks for as far as that is clear. Counts what is new. */
export async function keepUnread(
  { knex, hashPhone, events }: UnreadableDependencies,
  via: Via,
  unread: readonly Unread[],
): Promise<void> {
  if (unread.length === 0) return;
  const kept = await recordAtOnce(knex, async (trx) => {
    const found = await findAddressees(
      trx,
      unread.map(({ to, toId }) => ({ ...via, phone: '', to, toId })),
    );
    const addressees = found.map((one) => (typeof one === 'object' ? one : undefined));
    const addressed = addressees.flatMap((one) => one ?? []);
    const words = await wordsOfServices(
      trx,
      addressed.map(({ serviceId }) => ({ product: via.product, serviceId })),
    );
    const items = unread.map((one, place): NewUnreadable => {
      const { teamId = null, serviceId = null, sender = one.to } = addressees[place] ?? {};
      const said = saidIn(one);
      const asked =
        serviceId === null || said.text === undefined
          ? undefined
          : askedBy(said.text, words(via.product, serviceId) ?? [], sender);
      const keyword = said.keyword ?? (asked === undefined ? null : keywordOf[asked.action]);
      return {
        ...{ id: randomUUID(), teamId, serviceId, ...via, recipient: sender },
        ...{ kind: said.kind, reason: said.reason, content: said.content },
        sender: one.userId ?? one.from ?? null,
        userKey: one.userId === undefined ? null : hashPhone(one.userId),
        keyword: keyword === 'HELP' ? null : keyword,
        saidAt: said.at?.toISOString() ?? null,
        identity: createHash('sha256')
          .update(JSON.stringify([via.connector, said.identity]))
          .digest('base64url'),
      };
    });
    const persons = items.flatMap(({ connector, userKey }) =>
      userKey === null ? [] : [{ connector, userKey }],
    );
    await lockPersons(trx, persons);
    const inserted = await insertUnreadable(trx, items);
    const userKeys = persons.map(({ userKey }) => userKey);
    await apply(trx, await findIdentities(trx, via.connector, userKeys), hashPhone);
    return inserted;
  });
  for (const { connector, kind, reason } of kept) events.inboundUnreadable(connector, kind, reason);
}

type Said = Pick<NewUnreadable, 'kind' | 'reason' | 'content'> & {
  /** What is the same when it comes again. */
  identity: unknown;
  /** A whole text. */
  text?: string;
  keyword?: 'STOP' | 'START';
  at?: Date | undefined;
};

function saidIn(one: Unread): Said {
  if ('marketing' in one) {
    const { from, userId, to, toId, marketing, occurredAt } = one;
    return {
      ...{ kind: 'Preference', reason: 'NoNumber', content: marketing ? 'resume' : 'stop', at: occurredAt },
      keyword: marketing ? 'START' : 'STOP',
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
  const { kind, text } = body.content;
  return { ...message, content: text, identity: own, ...(kind === 'text' ? { text } : {}) };
}

/** Does what people asked for before their numbers were known. */
async function apply(
  trx: Knex.Transaction,
  identities: readonly Identity[],
  hashPhone: HashPhone,
): Promise<void> {
  if (identities.length === 0) return;
  for (const one of await takeWaiting(trx, identities)) {
    const { phone, product, teamId, serviceId, kind, keyword, saidAt } = one;
    const scope = { product, teamId, serviceId };
    const source = kind === 'Preference' ? 'Network' : 'Keyword';
    if (kind === 'Preference') {
      const marketing = keyword === 'START';
      const decision = {
        phone,
        phoneHash: hashPhone(phone),
        teamId,
        serviceId,
        marketing,
        occurredAt: saidAt,
      };
      if ((await takeDecisions(trx, [decision])).length === 0) continue;
    }
    if (keyword === 'STOP')
      await addOptOuts(trx, [phone], { ...scope, target: 'MARKETING', source }, hashPhone);
    else await removeOptOuts(trx, [phone], scope, hashPhone, source);
  }
}

/** Learns whose the network's ids are; what these people asked for before takes effect now. */
export type LearnIdentities = (connector: string, identities: readonly PhoneIdentity[]) => Promise<void>;

export function createLearn({ knex, parsePhone, hashPhone }: UnreadableDependencies): LearnIdentities {
  return async (connector, shown) => {
    const identities = shown.flatMap(({ from, userId }): Identity[] => {
      const phone = phoneOf(from, parsePhone);
      return phone === undefined ? [] : [{ connector, userKey: hashPhone(userId), phone }];
    });
    if (identities.length === 0) return;
    const news = await findNews(knex, identities);
    if (news.length === 0) return;
    await recordAtOnce(knex, async (trx) => {
      await lockPersons(trx, news);
      await saveIdentities(trx, news);
      await apply(trx, news, hashPhone);
    });
  };
}

/** Finds the number of whoever a message or preference is from; undefined: nobody knows it. */
export async function numbersOf(
  { knex, parsePhone, hashPhone }: Pick<UnreadableDependencies, 'knex' | 'parsePhone' | 'hashPhone'>,
  connector: string,
  said: readonly Pick<PhoneMessage, 'from' | 'userId'>[],
): Promise<(one: Pick<PhoneMessage, 'from' | 'userId'>) => string | undefined> {
  const nameless = said.flatMap(({ from, userId }) =>
    from === undefined && userId !== undefined ? [userId] : [],
  );
  const known = await findIdentities(knex, connector, nameless.map(hashPhone));
  const phones = new Map(known.map(({ userKey, phone }) => [userKey, phone]));
  return ({ from, userId }) =>
    from === undefined
      ? userId === undefined
        ? undefined
        : phones.get(hashPhone(userId))
      : phoneOf(from, parsePhone);
}
