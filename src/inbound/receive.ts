/** Receives messages of phones: stores each once, when it is whole, with what follows from it. */
import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { PhoneMessage } from '../connectors/contract/phone-message.ts';
import type { Events } from '../model/events.ts';
import type { Product } from '../model/plan.ts';
import { createBatcher } from '../platform/concurrency/group-commit.ts';
import { recordAtOnce } from '../platform/isolation/record.ts';
import { newTimedId } from '../platform/timed-id.ts';
import { type Span, SpanKind, startTrace, traceOf } from '../platform/tracing.ts';
import { insertInboundPosts } from '../receipts/insert-repository.ts';
import { findAddressees, type Unaddressed } from './addressee-repository.ts';
import { type Arrived, type Heard, isPart, type Received, type Whole } from './message.ts';
import { insertMessages, noteKeywords } from './message-repository.ts';
import { addParts, endOverdue, forgetParts } from './parts-repository.ts';
import { type PersonDependencies, senderOf } from './persons.ts';
import { inboundMessage } from './published.ts';
import { keepUnread, type UnreadableDependencies } from './unreadable.ts';

export interface InboundDependencies extends UnreadableDependencies, PersonDependencies {
  events: Pick<Events, 'messageDropped' | 'inboundUnreadable'>;
  actOn: ActOn;
  /** Called when messages wait to be posted. */
  onPosts: () => void;
}

/**
 * Acts on words such as STOP, in the transaction that stores the messages: each is whole. Returns the words that it acted
 * upon, by the ids of their messages.
 */
export type ActOn = (
  trx: Knex.Transaction,
  messages: readonly Heard[],
) => Promise<ReadonlyMap<string, string>>;

/** Resolves once all are stored, or dropped because no service has their sender. Rejects if one is not: the network sends it again. */
export type ReceiveMessages = (
  via: { connector: string; product: Product },
  messages: readonly PhoneMessage[],
) => Promise<void>;

export function createReceive(dependencies: InboundDependencies): ReceiveMessages {
  const { knex, parsePhone } = dependencies;
  const { submit } = createBatcher<Arrived, void>(
    async (messages) => {
      const stored = await recordAtOnce(knex, async (trx) => {
        const parts = messages.filter(isPart);
        const whole = messages.flatMap((message) => wholeOf(message) ?? []);
        return store(trx, [...whole, ...(await addParts(trx, parts))], dependencies);
      });
      tell(stored, dependencies);
      return messages.map(() => undefined);
    },
    () => 1,
    { concurrency: 1, maxItems: 100, maxWeight: 100 },
  );
  return async ({ connector, product }, messages) => {
    // Nobody writes to a network of bundles.
    if (product === 'data') return;
    const unread: PhoneMessage[] = [];
    const arrived = messages.flatMap((message): Arrived[] => {
      const { to, toId, identity, repeatedWithinSeconds, body } = message;
      const phone = senderOf(message, parsePhone);
      if (phone === undefined || 'unreadable' in body) {
        unread.push(message);
        return [];
      }
      const hashed = createHash('sha256')
        .update(JSON.stringify([connector, identity]))
        .digest('base64url');
      const id = newTimedId();
      return [{ id, connector, product, phone, to, toId, identity: hashed, repeatedWithinSeconds, body }];
    });
    await Promise.all([...arrived.map(submit), keepUnread(dependencies, { connector, product }, unread)]);
  };
}

/** Stores texts whose parts did not all come in time, and forgets parts that nothing needs. Returns whether there may be more. */
export async function endTexts(dependencies: InboundDependencies): Promise<boolean> {
  const { knex } = dependencies;
  const { more, ...stored } = await recordAtOnce(knex, async (trx) => {
    const { texts, more } = await endOverdue(trx);
    return { ...(await store(trx, texts, dependencies)), more };
  });
  tell(stored, dependencies);
  const moreToForget = await forgetParts(knex);
  return more || moreToForget;
}

function wholeOf({ body, identity, repeatedWithinSeconds, ...message }: Arrived): Whole | undefined {
  if ('part' in body) return undefined;
  const repeat = { identity, withinSeconds: repeatedWithinSeconds };
  return { ...message, content: body.content, missingParts: 0, repeat };
}

interface Stored {
  /** Those that are for no service. */
  dropped: readonly { connector: string; reason: Unaddressed }[];
  /** How many wait to be posted. */
  posts: number;
  /** To be ended once all is stored. */
  spans: readonly Span[];
}

async function store(
  trx: Knex.Transaction,
  messages: readonly Whole[],
  { actOn }: Pick<InboundDependencies, 'actOn'>,
): Promise<Stored> {
  const addressees = await findAddressees(trx, messages);
  const addressed = messages.flatMap((message, place) => {
    const addressee = addressees[place];
    return typeof addressee === 'object' ? [{ ...message, addressee }] : [];
  });
  const inserted = await insertMessages(trx, addressed);
  const words = await actOn(
    trx,
    inserted.heard.filter(({ missingParts }) => missingParts === 0),
  );
  await noteKeywords(trx, words);
  const received = inserted.received.map((message) => ({
    ...message,
    keyword: words.get(message.id) ?? null,
    span: startReceive(message),
  }));
  const posts = await insertInboundPosts(
    trx,
    received.flatMap((message) => {
      const { id, teamId, callbackUrl: url, clientId, span } = message;
      if (url === null || clientId === null) return [];
      const trace = span === undefined ? null : traceOf(span);
      return [{ id, teamId, clientId, url, body: inboundMessage(message), trace }];
    }),
  );
  return {
    dropped: messages.flatMap(({ connector }, place) => {
      const reason = addressees[place];
      return typeof reason === 'string' ? [{ connector, reason }] : [];
    }),
    posts,
    spans: received.flatMap(({ span }) => span ?? []),
  };
}

/** The trace of a message of a phone, which leads to its callback. */
const startReceive = ({ id, product, teamId }: Received) =>
  startTrace('receive', {
    kind: SpanKind.CONSUMER,
    attributes: { 'tarishi.message.id': id, 'tarishi.product': product, 'tarishi.team.id': teamId },
  });

function tell({ dropped, posts, spans }: Stored, { events, onPosts }: InboundDependencies): void {
  for (const span of spans) span.end();
  for (const { connector, reason } of dropped) events.messageDropped(connector, reason);
  if (posts > 0) onPosts();
}
