/** The local receiver accepts only receipts signed with the client's signing secret. */
import { afterAll, beforeAll, expect } from '@jest/globals';
import { request } from 'undici';
import { testEvery } from '../../platform/for-every-testing.ts';
import { signingKeyOf, signReceipt } from '../../receipts/callback/signature.ts';
import { type Heard, startListener } from './listen.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const nowSeconds = Math.floor(Date.now() / 1_000);
const body = '{"type":"SmsDeliveryReceipt","phone":"+254711000001","deliveryStatus":"Delivered"}';

let listener: Awaited<ReturnType<typeof startListener>>;
const heard: Heard[] = [];

beforeAll(async () => {
  listener = await startListener({
    port: 0,
    signingSecret: secret,
    onHeard: (one) => heard.push(one),
  });
});
afterAll(() => listener.close());

const signed = (secrets: string[], timestampSeconds = nowSeconds) =>
  signReceipt({ id: 'r1', timestampSeconds, body, keys: secrets.map(signingKeyOf) });

testEvery<[string, Record<string, string>, number, object]>([
  ['with the secret', signed([secret]), 204, { verified: true, receipt: JSON.parse(body) }],
  ['with two secrets, one of them ours', signed([other, secret]), 204, { verified: true }],
  [
    'with another secret',
    signed([other]),
    400,
    { verified: false, why: expect.stringContaining('wrong-signature') },
  ],
  [
    'with the secret, but long ago',
    signed([secret], nowSeconds - 400),
    400,
    { verified: false, why: expect.stringContaining('timestamp') },
  ],
  ['without a signature', {}, 400, { verified: false, why: expect.stringContaining('webhook-signature') }],
])('signed %s', async (_how, headers, status, expected) => {
  const response = await request(listener.url, { method: 'POST', headers, body });
  await response.body.dump();
  expect(response.statusCode).toBe(status);
  expect(heard.at(-1)).toMatchObject(expected);
});
