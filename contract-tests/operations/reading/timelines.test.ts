/** A timeline has all that happened to a message and nothing else, whoever listens; messages that are alike are told apart. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { forEvery, testEvery } from '../../../src/platform/for-every-testing.ts';
import { bundleToEach, defaultService } from '../../support/requests/disbursement.ts';
import { toEach, toMany } from '../../support/requests/sms.ts';
import { until } from '../../support/service/pages.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { sharedTeam, type TeamCaller } from '../../support/shared/team.ts';

let client: TeamCaller;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  client = await sharedTeam({ sms: 100, data: 10, chatApp: { UTILITY: 10 } });
});
afterAll(() => receiver?.close());

type Send = (phones: readonly string[], more: object) => Promise<string>;

const sms: Send = async (phones, more) => {
  const messages = phones.map((phone) => ({ phone, message: 'Habari' }));
  const body = toEach(messages, more);
  return (await client.post(`/message/${client.team.smsServiceId}`, body)).body.result.requestId;
};
const data: Send = async (phones, more) => {
  const disbursements = phones.map((phone) => ({ phone, denomination: '100MB', message: 'Habari' }));
  const body = bundleToEach(disbursements, { messaging: defaultService, ...more });
  return (await client.post(`/data/${client.team.campaignId}`, body)).body.requestId;
};
const chatApp: Send = async (phones, more) => {
  const { id: templateId, params } = client.team.chatAppTemplate;
  const { phoneNumberId } = client.team;
  const messages = phones.map((phone) => ({ phone, params }));
  const body = { type: 'TemplateSendToEach', phoneNumberId, templateId, messages, ...more };
  return (await client.post(`/message/${client.team.chatAppServiceId}/chatapp`, body)).body.result.requestId;
};

interface Entry {
  event: string;
  at: string;
  state?: string;
}

const onTheWay = ['Held', 'Queued', 'Sending', 'Submitted', 'Sent', 'Delivered'];
const ended = ({ product, state }: { product: string; state: string }) =>
  !onTheWay.includes(state) || (product !== 'ChatApp' && state === 'Delivered');

/** The messages of a request once all are final. */
const messagesOf = async (requestId: string) =>
  (
    await until(
      () => client.get(`/requests/${requestId}/messages`),
      (items) => items.every(ended),
    )
  ).body.items;

const story = (timeline: Entry[]) =>
  timeline.map(({ event, state }) => (state ? `${event} ${state}` : event));

describe('without a receiptRequest', () => {
  const refused = ['Accepted', 'Reported Failed', 'Refunded'];
  const cases: [string, () => Send, string, string[][]][] = [
    ['a delivered SMS', () => sms, '4321', [['Accepted', 'Submitted', 'Reported Delivered']]],
    ['an SMS that its network rejected', () => sms, '0001', [refused]],
    [
      'a delivered bundle and its SMS',
      () => data,
      '4321',
      [
        ['Accepted', 'Submitted', 'Reported Delivered'],
        ['Accepted', 'Released', 'Submitted', 'Reported Delivered'],
      ],
    ],
    [
      'a bundle that its network rejected and its SMS',
      () => data,
      '0001',
      [refused, ['Accepted', 'Cancelled', 'Refunded']],
    ],
    [
      'a chat-app message that was read',
      () => chatApp,
      '4321',
      [['Accepted', 'Submitted', 'Reported Sent', 'Reported Delivered', 'Reported Read']],
    ],
    [
      'a chat-app message that failed later',
      () => chatApp,
      '0002',
      [['Accepted', 'Submitted', 'Reported Sent', 'Reported Failed']],
    ],
    ['a chat-app message that its network rejected', () => chatApp, '0001', [refused]],
  ];
  /** All at once: each takes its seconds. */
  let requestIds: Map<string, string>;
  beforeAll(async () => {
    const sent = cases.map(
      async ([name, product, suffix]): Promise<[string, string]> => [
        name,
        await product()([`+25471100${suffix}`], {}),
      ],
    );
    requestIds = new Map(await Promise.all(sent));
  });

  testEvery(cases)('%s', async (name, _product, _suffix, stories) => {
    const messages = await messagesOf(requestIds.get(name) ?? '');
    expect(messages.map(({ timeline }: { timeline: Entry[] }) => story(timeline))).toEqual(stories);
    for (const { timeline, refunded } of messages) {
      expect(refunded).toBe(story(timeline).includes('Refunded'));
      const times = timeline.map(({ at }: Entry) => Date.parse(at));
      // Networks report in whole seconds.
      for (const time of times) expect(time).toBeGreaterThan((times[0] ?? 0) - 1_000);
    }
  });
});

describe('entries that are alike are messages and receipts of their own', () => {
  const phone = '+254711004321';
  const cases: [path: string, product: Send, expected: string[]][] = [
    ['SMS', sms, ['0 Delivered', '1 Delivered']],
    ['bundles', data, ['0 Delivered', '0 Delivered', '1 Delivered', '1 Delivered']],
    ['chat-app', chatApp, ['0 Delivered', '0 Read', '0 Sent', '1 Delivered', '1 Read', '1 Sent']],
  ];

  test('of every product', async () => {
    // All at once: each takes its seconds.
    const sent = cases.map(([path, product]) => {
      const receiptRequest = { correlator: 'alike', callbackUrl: receiver.url(`/${path}`) };
      return product([phone, phone], { receiptRequest });
    });
    const requestIds = await Promise.all(sent);
    await forEvery([...cases.entries()], '%j', async (place, [path, , expected]) => {
      const callbacks = await receiver.received(`/${path}`, expected.length);
      expect(callbacks.map(({ body }) => `${body.position} ${body.deliveryStatus}`).sort()).toEqual(expected);
      expect(new Set(callbacks.map(({ text }) => text.replace(/"timestamp":"[^"]*",/, ''))).size).toBe(
        expected.length,
      );
      const messages: { messageId: string; position: number; product: string }[] = await messagesOf(
        requestIds[place] ?? '',
      );
      expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(messages.length);
      expect(messages.map(({ position }) => position)).toEqual(messages.length === 2 ? [0, 1] : [0, 0, 1, 1]);
    });
  });

  test('a number that comes again in a SendToMany leaves the places of the others as the request has them', async () => {
    const body = toMany(['0711004321', '+254711004321', '+254733004321']);
    const { result } = (await client.post(`/message/${client.team.smsServiceId}`, body)).body;
    const messages: { phone: string; position: number }[] = await messagesOf(result.requestId);
    expect(messages.map((message) => [message.phone, message.position])).toEqual([
      ['+254711004321', 0],
      ['+254733004321', 2],
    ]);
  });
});
