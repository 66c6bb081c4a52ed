/** Tests that a receipt is one only with the client's own, fresh signature. */
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { verifyReceipt, WebhookVerificationError } from './client.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const receipt = {
  type: 'SmsDeliveryReceipt',
  requestId: '5f0c6e0e-6f0b-4d53-9f0c-0a6c1c8f3f55',
  phone: '+254711000000',
  timestamp: '2026-11-21T08:00:00.000Z',
  deliveryStatus: 'Delivered',
};
const body = JSON.stringify(receipt);

function headers(signedAt = new Date()): Record<string, string> {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(signedAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', signedAt, body),
  };
}

test('a signed receipt is answered, from text, bytes, plain headers and Headers', () => {
  expect(verifyReceipt(body, headers(), secret)).toEqual(receipt);
  expect(verifyReceipt(new TextEncoder().encode(body), new Headers(headers()), secret)).toEqual(receipt);
});

test('either secret fits while one is being changed', () => {
  expect(verifyReceipt(body, headers(), [other, secret])).toEqual(receipt);
});

test.each<[string, () => unknown]>([
  ['another secret', () => verifyReceipt(body, headers(), other)],
  ['another body', () => verifyReceipt(body.replace('Delivered', 'Failed'), headers(), secret)],
  ['an old signature', () => verifyReceipt(body, headers(new Date(Date.now() - 600_000)), secret)],
  ['no signature', () => verifyReceipt(body, {}, secret)],
  ['no secret', () => verifyReceipt(body, headers(), [])],
])('%s is refused', (_, verify) => {
  expect(verify).toThrow(WebhookVerificationError);
});
