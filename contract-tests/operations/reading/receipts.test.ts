/** The log of receipts: attempts, resending, replaying what an endpoint missed, and a test of an endpoint. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { toMany } from '../../support/requests/sms.ts';
import type { Answer } from '../../support/service/api.ts';
import { type DemoCaller, demoCallerIn } from '../../support/service/demo-client.ts';
import type { InProcess } from '../../support/service/in-process.ts';
import { type Callback, type Receiver, startReceiver } from '../../support/service/receiver.ts';

let client: DemoCaller<InProcess>;
let receiver: Receiver;
let startedAt: string;

beforeAll(async () => {
  receiver = await startReceiver();
  client = await demoCallerIn({ RECEIPT_SCHEDULE_SECONDS: '600,600' }, { delivers: true });
  startedAt = new Date(Date.now() - 60_000).toISOString();
});
afterAll(async () => {
  await client?.service.dispose();
  receiver?.close();
});

const get: DemoCaller['get'] = (path) => client.get(path);

async function sendTo(path: string): Promise<string> {
  const receiptRequest = { callbackUrl: receiver.url(path) };
  const sms = toMany(['+254711000000'], 'Habari', { receiptRequest });
  return (await client.post(`/message/${client.demo.smsServiceId}`, sms)).body.result.requestId;
}

/** The only receipt of a request, as soon as it is as wanted. */
async function receiptOf(requestId: string, wanted: (receipt: Answer['body']) => boolean) {
  for (;;) {
    const { body, text } = await get(`/receipts?requestId=${requestId}`);
    if (body.items === undefined) throw new Error(text);
    const [receipt] = body.items;
    if (receipt !== undefined && wanted(receipt)) return receipt;
    await delay(50);
  }
}

const verified = ({ text, headers }: Callback) =>
  new Webhook(client.demo.signingSecret).verify(text, headers as Record<string, string>);

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('200: a receipt whose endpoint was down is exhausted, replayed, and verifies with the same webhook-id', async () => {
  receiver.replies.set('/down', () => ({ status: 503, body: 'Service Unavailable' }));
  const requestId = await sendTo('/down');
  const failed = { at: instant, latencyMs: expect.any(Number), status: 503, response: 'Service Unavailable' };
  expect(await receiptOf(requestId, ({ attempts }) => attempts.length === 1)).toEqual({
    receiptId: expect.any(String),
    requestId,
    sequence: 1,
    callbackUrl: receiver.url('/down'),
    body: expect.stringContaining(requestId),
    state: 'Waiting',
    createdAt: instant,
    nextAttemptAt: instant,
    attempts: [{ ...failed, nextAttemptAt: instant }],
  });

  const { knex, settle } = client.service;
  for (let attempt = 2; attempt <= 3; attempt += 1) {
    await knex('receipts')
      .where({ request_id: requestId })
      .update({ next_attempt_at: knex.raw('now()') });
    await settle();
  }
  const { receiptId, attempts } = await receiptOf(requestId, ({ state }) => state === 'Exhausted');
  expect(attempts).toHaveLength(3);
  expect(attempts.at(-1)).toEqual(failed);
  expect((await get('/receipts?state=Exhausted')).body.items).toHaveLength(1);

  receiver.replies.delete('/down');
  const replay = await client.post('/receipts/replay', { from: startedAt, which: 'Exhausted' });
  expect([replay.status, replay.body]).toEqual([200, { receipts: 1, more: false }]);
  const callbacks = await receiver.received('/down', 4);
  expect(new Set(callbacks.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([receiptId]));
  expect(verified(callbacks[3] as Callback)).toMatchObject({ requestId, deliveryStatus: 'Delivered' });
  await receiptOf(requestId, ({ state }) => state === 'Delivered');
});

test('200: a delivered receipt is resent with the same webhook-id', async () => {
  const requestId = await sendTo('/again');
  const { receiptId } = await receiptOf(requestId, ({ state }) => state === 'Delivered');
  const resent = await client.post(`/receipts/${receiptId}/resend`, undefined);
  expect([resent.status, resent.body]).toEqual([200, expect.objectContaining({ receiptId, requestId })]);
  const callbacks = await receiver.received('/again', 2);
  expect(callbacks.map(({ headers }) => headers['webhook-id'])).toEqual([receiptId, receiptId]);
  expect(verified(callbacks[1] as Callback)).toMatchObject({ requestId });
  await receiptOf(requestId, ({ state, attempts }) => state === 'Delivered' && attempts.length === 2);
});

test('200: a replay is of a period, of one endpoint and of one request', async () => {
  const [one, other] = [await sendTo('/one'), await sendTo('/other')];
  await receiptOf(other, ({ state }) => state === 'Delivered');
  const receipt = await receiptOf(one, ({ state }) => state === 'Delivered');
  expect((await get(`/receipts/${receipt.receiptId}`)).body).toEqual(receipt);
  const replay = async (more: object) =>
    (await client.post('/receipts/replay', { from: startedAt, which: 'All', ...more })).body;
  for (const none of [
    { from: '2100-01-01T00:00:00Z' },
    { to: '2000-01-02T00:00:00Z', from: '2000-01-01T00:00:00Z' },
    { callbackUrl: receiver.url('/nowhere') },
    { requestId: one, callbackUrl: receiver.url('/other') },
  ])
    expect([none, await replay(none)]).toEqual([none, { receipts: 0, more: false }]);
  expect(await replay({ callbackUrl: receiver.url('/one') })).toEqual({ receipts: 1, more: false });
  await receiver.received('/one', 2);
  expect(await replay({ requestId: other })).toEqual({ receipts: 1, more: false });
  await receiver.received('/other', 2);
  expect(receiver.on('/one')).toHaveLength(2);
});

describe('POST /receipts/test', () => {
  test('200: the endpoint gets a signed sample, and its response is shown', async () => {
    const { status, body } = await client.post('/receipts/test', { callbackUrl: receiver.url('/test') });
    expect([status, body]).toEqual([
      200,
      { receiptId: expect.any(String), latencyMs: expect.any(Number), status: 200 },
    ]);
    const [callback] = await receiver.received('/test', 1);
    expect(callback?.headers['webhook-id']).toBe(body.receiptId);
    expect(verified(callback as Callback)).toMatchObject({ type: 'SmsDeliveryReceipt', correlator: 'test' });
  });

  test('200: why there was no response', async () => {
    const { body } = await client.post('/receipts/test', { callbackUrl: 'http://127.0.0.1:1/' });
    expect(body).toEqual({
      receiptId: expect.any(String),
      latencyMs: expect.any(Number),
      error: 'connection refused',
    });
  });
});
