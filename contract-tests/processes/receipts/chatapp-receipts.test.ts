/** Chat-app messages after their acceptance: a signed receipt per step, stored states, refunds. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { schemaNamed, undocumented } from '../../../spec/document.ts';
import { type ChatAppService, startChatApp } from '../../support/requests/chatapp.ts';
import { type Callback, type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { rowsOf, unbalancedAccounts, withStoredData } from '../../support/service/stored-data.ts';

/** What each number's last four digits lead to, step by step. */
const outcomes: [suffix: string, steps: string[]][] = [
  ['0001', ['Failed']],
  ['0002', ['Sent', 'Failed']],
  ['0003', ['Sent', 'Failed']],
  ['0004', ['Sent', 'Failed']],
  ['0005', ['Failed']],
  ['0006', ['Sent', 'Failed']],
  ['0007', ['Sent', 'Uncertain']],
  ['0010', ['Sent', 'Delivered', 'Read']],
  ['4321', ['Sent', 'Delivered', 'Read']],
];
const correlator = 'order "17" – Ürün 😀';

let chat: ChatAppService;
let receiver: Receiver;
let requestId = '';
let callbacks: Callback[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  chat = await startChatApp();
  const { id, params } = chat.demo.chatAppTemplates.named;
  const addresses = [...outcomes.map(([suffix]) => suffix), '0008'].map((suffix) => `071100${suffix}`);
  const receiptRequest = { correlator, callbackUrl: receiver.url('/steps') };
  const answer = await chat.send(chat.toMany(id, params, addresses, { receiptRequest }));
  requestId = answer.body.result.requestId;
  callbacks = await receiver.received('/steps', outcomes.flatMap(([, steps]) => steps).length);
}, 120_000);
afterAll(async () => {
  await chat?.service.dispose();
  receiver.close();
});

/** In the order in which they came. */
const to = (suffix: string) => callbacks.filter(({ body }) => body.phone.endsWith(suffix));

describe('a receipt for every step', () => {
  test.each(outcomes)('…%s: %j', (suffix, steps) => {
    expect(to(suffix).map(({ body }) => body.deliveryStatus)).toEqual(steps);
    expect(to(suffix).map(({ body }) => body.sequence)).toEqual(steps.map((_, index) => index + 1));
    for (const { body } of to(suffix)) {
      expect(undocumented(schemaNamed('ChatAppDeliveryReceipt'), body)).toBeUndefined();
      expect(body).toMatchObject({
        type: 'ChatAppDeliveryReceipt',
        requestId,
        correlator,
        phone: `+25471100${suffix}`,
        phoneNumberId: chat.demo.phoneNumberIds[0],
      });
    }
  });

  test('each is signed and has an id of its own', () => {
    const webhook = new Webhook(chat.demo.signingSecret);
    for (const { text, headers } of callbacks)
      expect(webhook.verify(text, headers as Record<string, string>)).toStrictEqual(JSON.parse(text));
    expect(new Set(callbacks.map(({ headers }) => headers['webhook-id'])).size).toBe(callbacks.length);
  });

  test("every step of a message has the network's id of it; a refused one has none but says why", () => {
    const ids = to('4321').map(({ body }) => body.messageId);
    expect(ids).toEqual(Array(3).fill(expect.any(String)));
    expect(new Set(ids).size).toBe(1);
    const [refused] = to('0001');
    expect(refused?.body).toMatchObject({ reason: expect.any(String), reasonCode: '0001' });
    expect(refused?.body).not.toHaveProperty('messageId');
  });
});

describe('the database of the stopped service', () => {
  interface Stored {
    phone: string;
    state: string;
    content: string;
    sender: string;
    refunds: number;
  }
  let messages: Stored[] = [];
  let unbalanced: unknown[] = [];

  beforeAll(async () => {
    await chat.service.stop();
    await withStoredData(chat.service, async (knex) => {
      messages = await rowsOf(
        knex,
        `select phone, state, content, requests.sender,
           (select count(*)::integer from ledger_entries e where e.message_id = messages.id and reason = 'Refund')
             as refunds
         from messages join requests on requests.id = messages.request_id order by phone`,
      );
      unbalanced = await unbalancedAccounts(knex);
    });
  });

  test('the final states; …0008 is accepted and never reported', () => {
    const last = (steps: string[]) => steps.at(-1);
    const expected = [...outcomes, ['0008', ['Submitted']] as const].map(
      ([suffix, steps]) => [`+25471100${suffix}`, last([...steps])] as const,
    );
    expect(messages.map(({ phone, state }) => [phone, state])).toEqual(
      expected.sort(([one = ''], [other = '']) => one.localeCompare(other)),
    );
  });

  test('messages that the network rejected at once are refunded, all others are spent', () => {
    const refunded = messages.filter(({ refunds }) => refunds === 1).map(({ phone }) => phone);
    expect(refunded).toEqual(['+254711000001', '+254711000005']);
    expect(unbalanced).toEqual([]);
  });

  test('the message as the network accepts it, and its sender number', () => {
    const [first] = messages;
    expect(first?.sender).toBe('+254709000001');
    expect(JSON.parse(first?.content ?? '')).toEqual({
      name: 'chat_order_shipped',
      language: 'en',
      header: { format: 'TEXT', texts: [{ name: 'shop', value: 'Duka' }] },
      body: [
        { name: 'name', value: 'Asha' },
        { name: 'order', value: '4711' },
      ],
      buttons: [{ index: 0, type: 'URL', value: '4711' }],
    });
  });
});
