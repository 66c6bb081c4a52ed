/** The lives of chat-app messages with an SMS in reserve: one of both is sent and paid for, or both if both left. */
import type { World } from '../world/world.ts';
import { cancel, cancelled } from './later.ts';
import type { Ending, Life } from './life.ts';
import { chat, mostOfAny } from './others.ts';
import { chatWithReserve, delivered, number, sendChatWithReserve } from './requests.ts';
import { chatApp, usual } from './script.ts';

/** Longer than any fault lasts, and than a clock is set forward. */
const longSeconds = 7_200;
const shortSeconds = 20;
/** After the SMS was sent, whatever the fault. */
const lateMs = 240_000;

const failed: Ending = { ...chat, state: 'Failed', receipt: 'Failed' };
const expired: Ending = { ...chat, state: 'Expired', receipt: 'Expired', refunded: true };
const notNeeded: Ending = { ...delivered, state: 'Cancelled', receipt: undefined, refunded: true };
const refusal = { status: 400, body: { error: { code: 131026, message: 'Undeliverable' } } };

const pauseChatApp = ({ data: { database } }: World) =>
  database.knex('connectors').where({ name: 'meta' }).update({ paused: true });

/** What clients were told of the SMS with the last state of the chat-app message. */
const told =
  (...states: string[]) =>
  async ({ networks: { posted } }: World): Promise<string[]> => {
    const last = posted
      .map(({ body }) => JSON.parse(body))
      .filter(({ type }) => type === 'ChatAppDeliveryReceipt')
      .sort((one, other) => one.sequence - other.sequence)
      .at(-1);
    return states.includes(last?.fallbackStatus)
      ? []
      : [`the last receipt says ${last?.fallbackStatus} of the sms`];
  };

const both = [`chat ${number}`, `sms ${number}`];

export const fallbackLives: Life[] = [
  {
    name: 'chat-app message that is refused, and its sms',
    script: { ...usual, chat: () => refusal },
    begin: sendChatWithReserve(longSeconds),
    endings: [{ ...failed, refunded: true }, delivered],
    sent: both,
    // A refusal is not stored before the transaction that ends the message: it may be heard again.
    most: (what, struck) => mostOfAny(what, struck) + (what.startsWith('chat') ? 1 : 0),
    check: told('Sent'),
  },
  {
    name: 'chat-app message that fails, and its sms',
    script: { ...usual, chat: chatApp([['failed', 2_000]]) },
    begin: sendChatWithReserve(longSeconds),
    endings: [failed, delivered],
    sent: both,
    most: mostOfAny,
    check: told('Sent'),
  },
  {
    name: 'chat-app message that is delivered in time',
    script: usual,
    begin: sendChatWithReserve(longSeconds),
    endings: [chat, notNeeded],
    sent: [`chat ${number}`],
    most: mostOfAny,
    check: told('NotSent'),
  },
  {
    name: 'chat-app message that is delivered after its sms was sent',
    script: {
      ...usual,
      chat: chatApp([
        ['sent', 1_000],
        ['delivered', lateMs],
        ['read', lateMs + 1_000],
      ]),
    },
    begin: sendChatWithReserve(shortSeconds),
    endings: [chat, delivered],
    sent: both,
    otherwise: [
      // Nobody could submit it in time.
      { endings: [expired, delivered], sent: [`sms ${number}`] },
      // The clock was set back, so that it was in time.
      { endings: [chat, notNeeded], sent: [`chat ${number}`] },
    ],
    most: mostOfAny,
    check: told('Sent', 'NotSent'),
    seconds: lateMs / 1_000 + 30,
    secondsIfSetBack: 3_600,
  },
  {
    name: 'chat-app message that no network takes in time, and its sms',
    script: usual,
    prepare: pauseChatApp,
    begin: sendChatWithReserve(shortSeconds),
    endings: [expired, delivered],
    sent: [`sms ${number}`],
    most: mostOfAny,
    check: told('Sent'),
    seconds: shortSeconds + 60,
    secondsIfSetBack: 3_600,
  },
  {
    name: 'chat-app message that is cancelled with its sms',
    script: usual,
    prepare: pauseChatApp,
    begin: async (world) => {
      const { path, body } = chatWithReserve(world, longSeconds);
      const response = await world.client.post(path, body);
      await cancel(world, JSON.parse(response.body).result.requestId, 2);
    },
    endings: [{ ...cancelled, product: 'chatapp' }, cancelled],
    sent: [],
    most: () => 0,
  },
];
