/** The receipts that the mock posts: their states, their order and their times. */
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { publishedSecrets } from '../demo/published-secrets.ts';
import type { Plan, PlannedMessage } from '../intake/plan.ts';
import { createReceiptPoster, receiptsOf } from './receipts.ts';

const messageOf = (
  product: PlannedMessage['product'],
  more: Partial<PlannedMessage> = {},
): PlannedMessage => ({
  product,
  position: 0,
  channel: 'Safaricom',
  phone: '+254711000000',
  content: 'x',
  units: 1,
  accountId: null,
  held: false,
  ...more,
});
const states = (message: PlannedMessage, receipt?: string) =>
  receiptsOf(message, receipt).map(({ state }) => state);

test.each([
  ['sms', '+254711000000', undefined, ['Delivered']],
  ['sms', '+254711000005', undefined, ['InvalidMsisdn']],
  ['sms', '+254711000008', undefined, []],
  ['sms', '+254711000008', 'Failed', ['Failed']],
  ['data', '+254711000006', undefined, ['InvalidDenomination']],
  ['chatapp', '+254711000000', undefined, ['Sent', 'Delivered', 'Read']],
  ['chatapp', '+254711000002', undefined, ['Sent', 'Failed']],
  ['chatapp', '+254711000000', 'Delivered', ['Sent', 'Delivered']],
  ['chatapp', '+254711000000', 'Uncertain', ['Sent', 'Uncertain']],
] as const)('%s to %s, Prefer receipt=%s: %j', (product, phone, receipt, expected) => {
  expect(states(messageOf(product, { phone }), receipt)).toEqual(expected);
});

test('an SMS that accompanies a bundle follows its delivery', async () => {
  const bundle = messageOf('data', { content: '1GB' });
  const failed = messageOf('data', { content: '1GB', position: 1, phone: '+254711000001' });
  const sms = messageOf('sms', { held: true });
  expect(await posted([bundle, sms, failed, { ...sms, position: 1 }])).toEqual([
    ['DataDeliveryReceipt', 'Failed'],
    ['DataDeliveryReceipt', 'Delivered'],
    ['SmsDeliveryReceipt', 'Delivered'],
  ]);
});

test('nothing is posted without a callbackUrl', async () => {
  expect(await posted([messageOf('sms')], {})).toEqual([]);
});

/** Type and state of each receipt, by their time. */
async function posted(
  messages: PlannedMessage[],
  receiptRequest: Plan['receiptRequest'] = { callbackUrl: 'u' },
) {
  const webhook = new Webhook(publishedSecrets.signingSecret);
  const bodies: { type: string; deliveryStatus: string }[] = [];
  const post = createReceiptPoster({
    client: {
      post: async (_url, headers, body) => {
        bodies.push(webhook.verify(body, { ...headers }) as never);
        return { kind: 'answered', status: 204 };
      },
    },
    clock: { now: () => Date.now() },
    onPosted: () => {},
    wait: async () => {},
  });
  await post({ messages, receiptRequest } as unknown as Plan, 'request', undefined);
  return bodies
    .map(({ type, deliveryStatus }) => [type, deliveryStatus])
    .sort(
      (one, other) =>
        String(one[0]).localeCompare(String(other[0])) || -String(one[1]).localeCompare(String(other[1])),
    );
}
