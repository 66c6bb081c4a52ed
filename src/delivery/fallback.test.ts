/** An SMS in reserve for a chat-app message: it leaves when that fails or is not delivered in time, and else is cancelled and refunded. */
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { HandOver } from '../connectors/contract/connector.ts';
import type { StateChange } from '../model/states.ts';
import { createRandom } from '../partner/sandbox/random.ts';
import { sized } from '../platform/sized-testing.ts';
import { recordChanges } from '../receipts/record.ts';
import { releaseRound } from './scheduled/release.ts';
import { delivered, network, openedDelivery } from './testing.ts';

const units = 100;
const after = 60;
const phone = '+254711000000';

const delivery = openedDelivery(units);

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

const request = {
  operation: 'sendChatAppTemplate',
  smsServiceId: 's',
  fallback: { after, sender: 'DUKA' },
} as const;

/** A chat-app message of one unit, and two of its SMS; `late`: the time of the SMS has come. */
const accept = ({ late = false } = {}) => {
  const sendAt = inSeconds(late ? -1 : after);
  return delivery.acceptRequest(request, [
    { product: 'chatapp', channel: '1065', phone, content: '{}' },
    { product: 'sms', position: 0, phone, units: 2, sender: 'DUKA', sendAt, inReserve: true },
  ]);
};

const submitted: HandOver = { kind: 'accepted', reports: [] };

/** Delivers what is queued: the chat app answers so, and the SMS network delivers. Returns to whom SMS were sent. */
async function deliver(chatApp: HandOver = submitted): Promise<string[]> {
  const { connector, sent } = network(() => delivered);
  const connectors = { sms: connector, chatapp: network(() => chatApp).connector };
  await delivery.deliver(connectors);
  await delivery.deliver(connectors);
  return sent;
}

const release = () =>
  releaseRound({ knex: delivery.knex, queue: delivery.queue, validitySeconds: 3_600 }, () => {});

const record = (statuses: readonly Pick<StateChange, 'messageId' | 'state'>[]) =>
  delivery.knex.transaction((trx) =>
    recordChanges(
      trx,
      statuses.map(({ messageId, state }) => ({ messageId, product: 'chatapp', state, refund: false })),
      delivery.dependencies({}).consequences,
    ),
  );

async function report(state: StateChange['state']): Promise<void> {
  const [message] = await delivery.knex('messages').where({ product: 'chatapp' });
  await record([{ messageId: message.id, state }]);
}

const told = async () =>
  (await delivery.knex('receipts').orderBy(['message_id', 'sequence'])).map(({ body }) => {
    const { state, fallback } = JSON.parse(body);
    return fallback === undefined ? state : `${state}, ${fallback}`;
  });

describe('the SMS leaves at once', () => {
  test.each<[string, HandOver, number]>([
    ['refused', { kind: 'rejected', state: 'Failed', reason: 'No' }, 1],
    ['accepted first, and failed then', { kind: 'accepted', reports: ['Failed'] }, 0],
  ])('when its message is %s', async (_how, answer, refunded) => {
    await accept();
    expect(await deliver(answer)).toEqual([phone]);
    expect(await delivery.states()).toEqual(['Failed', 'Delivered']);
    expect(await delivery.balance()).toBe(units - 3 + refunded);
    expect(await told()).toEqual(['Failed, Sent', 'Delivered']);
  });

  test('when no network took its message in time, although it had more time itself', async () => {
    await accept();
    await delivery
      .knex('messages')
      .where({ product: 'chatapp' })
      .update({ valid_from: inSeconds(-after) });
    expect(await deliver()).toEqual([phone]);
    expect(await delivery.states()).toEqual(['Expired', 'Delivered']);
    expect(await delivery.balance()).toBe(units - 2);
  });
});

describe('when its time comes', () => {
  test('it leaves if its message is not delivered, and what comes later changes nothing but is told', async () => {
    await accept({ late: true });
    await deliver();
    await report('Sent');
    await release();
    expect(await deliver()).toEqual([phone]);
    await report('Delivered');
    await report('Read');
    expect(await delivery.states()).toEqual(['Read', 'Delivered']);
    expect(await delivery.balance()).toBe(units - 3);
    expect(await told()).toEqual(['Sent, Waiting', 'Delivered, Sent', 'Read, Sent', 'Delivered']);
  });

  test.each([
    'Delivered',
    'SubscriberOptedOut',
  ] as const)('it is cancelled and refunded if its message is %s, without a receipt', async (state) => {
    await accept({ late: true });
    await deliver();
    await report(state);
    await release();
    expect(await deliver()).toEqual([]);
    expect(await delivery.states()).toEqual([state, 'Cancelled']);
    expect(await delivery.balance()).toBe(units - 1);
    expect(await told()).toEqual([`${state}, NotSent`]);
    expect(await delivery.knex('messages').where({ product: 'sms' })).toMatchObject([
      { reason_code: 'fallback-not-needed', reached_at: null },
    ]);
  });
});

/** What a chat app says of a message, in order. */
const stories = [[], ['Delivered'], ['Sent', 'Delivered', 'Read'], ['Sent', 'Failed'], ['Failed']] as const;
const races = sized(200, 10_000);
const racesTogether = 200;

/** Milliseconds in which the SMS become due, while statuses come. */
const spreadMs = 500;

test(`of ${races} times that meet their statuses, over two workers: one of both is paid for, or both if both left`, async () => {
  const random = createRandom(Number(process.env.SEED));
  for (let round = 0; round < races / racesTogether; round += 1) {
    await delivery.reset(10 * racesTogether);
    await meetStatuses(random);
    await expectAsDocumented(10 * racesTogether);
  }
});

async function meetStatuses(random: () => number): Promise<void> {
  const dueAt = () => new Date(Date.now() + spreadMs * random()).toISOString();
  const of = (position: number) => ({ position, phone: `+2547${String(position).padStart(8, '0')}` });
  const pairs = Array.from({ length: racesTogether }, (_, position) => [
    { ...of(position), product: 'chatapp' as const, channel: '1065', content: '{}' },
    { ...of(position), product: 'sms' as const, units: 2, sendAt: dueAt(), inReserve: true as const },
  ]);
  await delivery.acceptRequest(request, pairs.flat());
  await deliver();
  const messages = await delivery.knex('messages').where({ product: 'chatapp' }).pluck('id');
  const statuses = messages.flatMap((messageId) => {
    const story = stories[Math.floor(random() * stories.length)] ?? [];
    const atMs = spreadMs * random();
    return story.map((state, step) => ({ messageId, state, atMs: atMs + step }));
  });
  statuses.sort((one, other) => one.atMs - other.atMs);
  const beganMs = Date.now();
  const worker = async () => {
    for (;;) {
      await release();
      await deliver();
      const count = statuses.filter(({ atMs }) => beganMs + atMs <= Date.now()).length;
      if (count > 0) await record(statuses.splice(0, Math.min(count, 1 + Math.floor(20 * random()))));
      else if (Date.now() > beganMs + 2 * spreadMs) return;
      else await turn();
    }
  };
  await Promise.all([worker(), worker()]);
  await release();
  await deliver();
}

/** Balances, receipts and states agree about each pair. */
async function expectAsDocumented(opening: number): Promise<void> {
  const rows = await delivery.knex('messages').orderBy(['position', 'product']);
  const refunds = new Set(
    (await delivery.knex('ledger_entries').where({ reason: 'Refund' })).map((entry) => entry.message_id),
  );
  const receipts = await delivery.knex('receipts').orderBy('sequence');
  const wrong: string[] = [];
  let spent = 0;
  for (let place = 0; place < rows.length; place += 2) {
    const [chat, sms] = rows.slice(place, place + 2);
    const last = receipts.filter(({ message_id }) => message_id === chat.id).at(-1);
    const said = last && JSON.parse(last.body).fallback;
    const isGood = ['Delivered', 'Read'].includes(chat.state);
    const ending = `${sms.state} ${refunds.has(sms.id) ? 'refunded' : 'spent'} ${said ?? 'untold'}`;
    const documented = isGood
      ? ['Cancelled refunded NotSent', 'Delivered spent Sent']
      : [`Delivered spent ${chat.state === 'Submitted' ? 'untold' : 'Sent'}`];
    if (refunds.has(chat.id) || !documented.includes(ending)) wrong.push(`${chat.state}: ${ending}`);
    spent += 1 + (refunds.has(sms.id) ? 0 : 2);
  }
  expect(wrong).toEqual([]);
  expect(rows).toHaveLength(2 * racesTogether);
  expect(await delivery.balance()).toBe(opening - spent);
}
