/** What the webhook tester says of a receipt, compared with the library that signs. */
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { readHeaders, verifyReceipt } from '../../docs/assets/verify-receipt.js';
import { testEvery } from '../platform/for-every-testing.ts';

const secret = `whsec_${btoa('the secret of a test client')}`;
const nowSeconds = 1_800_000_000;
const body = JSON.stringify({ type: 'SmsDeliveryReceipt', correlator: 'Ñandú', sequence: 1 });

function headersAt(seconds: number, sent = body, key = secret): Record<string, string> {
  const signature = new Webhook(key).sign('msg_1', new Date(seconds * 1_000), sent);
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(seconds), 'webhook-signature': signature };
}

const headers = headersAt(nowSeconds);
const check = (changes: Partial<Parameters<typeof verifyReceipt>[0]> = {}) =>
  verifyReceipt({ headers, body, secret, nowSeconds, ...changes });

test('a signed receipt is verified, with or without whsec_', async () => {
  expect(await check()).toEqual({ problems: [], notes: [] });
  expect(await check({ secret: secret.slice('whsec_'.length) })).toEqual({ problems: [], notes: [] });
});

test('one of several signatures is enough', async () => {
  const other = headersAt(nowSeconds, body, `whsec_${btoa('another secret')}`)['webhook-signature'];
  const both = `${other} ${headers['webhook-signature']}`;
  expect((await check({ headers: { ...headers, 'webhook-signature': both } })).problems).toEqual([]);
});

test('an old receipt is verified, with a note that a receiver must refuse it', async () => {
  const { problems, notes } = await check({ nowSeconds: nowSeconds + 1_200 });
  expect([problems, notes]).toEqual([[], [expect.stringContaining('20 minutes old')]]);
  expect((await check({ nowSeconds: nowSeconds - 600 })).notes[0]).toContain('10 minutes in the future');
});

const formatted = JSON.stringify(JSON.parse(body), null, 2);
const own = (name: string, value: string) => ({ headers: { ...headers, [name]: value } });

testEvery([
  ['a missing header', own('webhook-id', ''), 'The header webhook-id is missing'],
  ['an empty body', { body: '' }, 'The body is empty'],
  ['no secret', { secret: ' ' }, 'The signing secret is empty'],
  ['a secret that is cut', { secret: 'whsec_abcde' }, 'not Base64'],
  ['milliseconds', own('webhook-timestamp', `${nowSeconds}000`), 'these are milliseconds'],
  ['another version', own('webhook-signature', 'v2,abc='), 'begins with v1,'],
  ['white space around the body', { body: ` ${body}\n` }, 'White space was added'],
  ['a lost line feed', { headers: headersAt(nowSeconds, `${body}\n`) }, 'The line feed at the end'],
  ['a body formatted anew', { body: formatted }, 'formatted anew'],
  ['another secret', { secret: `whsec_${btoa('another secret')}` }, 'another secret, another body'],
  ['another body', { body: body.replace('1', '2') }, 'another secret, another body'],
  [
    'the text of the secret as the key',
    { headers: headersAt(nowSeconds, body, btoa(secret)) },
    'The signature was made with the text of the secret',
  ],
])('what is wrong is named: %s', async (_case, changes, sentence) => {
  const { problems } = await check(changes);
  expect(problems).toEqual([expect.stringContaining(sentence)]);
});

testEvery([
  ['plain lines', 'webhook-id: a\nWebhook-Timestamp: 1\nwebhook-signature: v1,b='],
  ['as curl prints them', '< webhook-id: a\r\n< webhook-timestamp: 1\r\n< webhook-signature: v1,b='],
  ['JSON', '{\n  "webhook-id": "a",\n  "webhook-timestamp": "1",\n  "webhook-signature": "v1,b=",\n}'],
])('headers are read from %s', (_form, text) => {
  expect(readHeaders(text)).toEqual({
    'webhook-id': 'a',
    'webhook-timestamp': '1',
    'webhook-signature': 'v1,b=',
  });
});
