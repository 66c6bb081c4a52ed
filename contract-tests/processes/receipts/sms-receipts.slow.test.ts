/** Receipts as a client meets them: from a number's outcome to a signed callback on the client's own server. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { schemaNamed, undocumented } from '../../../spec/document.ts';
import { type Database, openDatabase } from '../../../src/platform/db/knex.ts';
import { type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { type Callback, type Receiver, startReceiver } from '../../support/service/receiver.ts';

let receiver: Receiver;
let sms: SmsService;
const url = (path: string) => receiver.url(path);
const on = (path: string) => receiver.on(path);
const received = (path: string, count: number) => receiver.received(path, count);
const send = async (addresses: readonly string[], path: string | undefined, correlator?: string) => {
  const receiptRequest = {
    ...(correlator === undefined ? {} : { correlator }),
    ...(path === undefined ? {} : { callbackUrl: url(path) }),
  };
  const answer = await sms.send(toMany(addresses, 'Habari', { receiptRequest }));
  expect(answer.status).toBe(200);
  return answer.body.result.requestId as string;
};

beforeAll(async () => {
  receiver = await startReceiver();
  sms = await startSms({ RECEIPT_SCHEDULE_SECONDS: '0.2,0.2,0.2' });
});
afterAll(async () => {
  await sms?.service.dispose();
  receiver.close();
});

function expectSigned({ text, headers }: Callback): void {
  expect(new Webhook(sms.demo.signingSecret).verify(text, headers as Record<string, string>)).toStrictEqual(
    JSON.parse(text),
  );
}

const outcomes: [suffix: string, deliveryStatus: string][] = [
  ['0001', 'Failed'],
  ['0002', 'AbsentSubscriber'],
  ['0003', 'SenderBlacklisted'],
  ['0004', 'SubscriberOptedOut'],
  ['0005', 'InvalidMsisdn'],
  ['0006', 'DeliveryImpossible'],
  ['0007', 'DeliveryUncertain'],
  ['0010', 'Delivered'],
  ['4321', 'Delivered'],
];
const correlator = 'order "17" – Ürün 😀';
let outcomesRequestId: string;

describe('every outcome of a number', () => {
  beforeAll(async () => {
    // 0008 never has a report; the others are all there when the last of them, throttled twice, is.
    const phones = [...outcomes.map(([suffix]) => suffix), '0008'].map((suffix) => `0711 00-${suffix}`);
    outcomesRequestId = await send(phones, '/outcomes', correlator);
    await received('/outcomes', outcomes.length);
  });

  test.each(outcomes)('…%s ends as %s', (suffix, deliveryStatus) => {
    const found = on('/outcomes').filter(({ body }) => body.phone.endsWith(suffix));
    expect(found).toHaveLength(1);
    const [callback] = found;
    if (callback === undefined) return;
    const { method, headers, body } = callback;
    expect(method).toBe('POST');
    expect(headers['content-type']).toBe('application/json');
    expect(undocumented(schemaNamed('SmsDeliveryReceipt'), body)).toBeUndefined();
    expect(body).toMatchObject({
      type: 'SmsDeliveryReceipt',
      requestId: outcomesRequestId,
      correlator,
      phone: `+25471100${suffix}`,
      deliveryStatus,
    });
    expectSigned(callback);
  });

  test('each receipt has an id of its own', () => {
    const ids = on('/outcomes').map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(outcomes.length);
  });
});

// Half a minute for one number: with SLOW=1.
if (process.env.SLOW !== '1') process.stdout.write('skipped without SLOW=1: a report after 30 s\n');
(process.env.SLOW === '1' ? test : test.skip)(
  '…0009 ends as Delivered after 30 s (runs with SLOW=1)',
  async () => {
    await send(['+254711000009'], '/late');
    const [callback] = await received('/late', 1);
    expect(callback?.body.deliveryStatus).toBe('Delivered');
  },
);

test('without a correlator the receipt has none', async () => {
  await send(['+254711004322'], '/plain');
  const [callback] = await received('/plain', 1);
  expect(callback?.body).not.toHaveProperty('correlator');
  expect(undocumented(schemaNamed('SmsDeliveryReceipt'), callback?.body)).toBeUndefined();
});

test('500 twice, then 200: the same webhook-id, a webhook-timestamp of each attempt, Retry-After honoured', async () => {
  receiver.replies.set('/twice', (nth) => {
    if (nth === 3) return { status: 200 };
    return { status: 500, headers: nth === 2 ? { 'retry-after': '1' } : {} };
  });
  await send(['+254711004323'], '/twice', 'again');
  const attempts = await received('/twice', 3);
  expect(new Set(attempts.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(attempts.map(({ text }) => text)).size).toBe(1);
  const [first = 0, second = 0, third = 0] = attempts.map(({ headers }) =>
    Number(headers['webhook-timestamp']),
  );
  expect(second).toBeGreaterThanOrEqual(first);
  expect(third).toBeGreaterThan(second);
  attempts.forEach(expectSigned);
});

test('a receiver that never returns 2xx gets one attempt more than there are delays', async () => {
  receiver.replies.set('/never', () => ({ status: 503 }));
  await send(['+254711004324'], '/never');
  expect(await received('/never', 4)).toHaveLength(4);
});

test('410 ends the attempts, and a redirect is not followed', async () => {
  receiver.replies.set('/gone', () => ({ status: 410 }));
  receiver.replies.set('/moved', () => ({ status: 302, headers: { location: url('/elsewhere') } }));
  await send(['+254711004325'], '/gone');
  await send(['+254711004326'], '/moved');
  expect(await received('/moved', 4)).toHaveLength(4);
});

test('receipts that wait survive kill -9', async () => {
  let answering = false;
  receiver.replies.set('/killed', () =>
    answering ? { status: 200 } : { status: 503, headers: { 'retry-after': '5' } },
  );
  const phones = Array.from({ length: 20 }, (_, index) => `+2547110050${index + 10}`);
  await send(phones, '/killed');
  await received('/killed', 1);
  await sms.service.kill();
  const before = new Map(on('/killed').map(({ headers, body }) => [body.phone, headers['webhook-id']]));
  const attemptsBefore = on('/killed').length;
  answering = true;
  await sms.service.restart();
  await received('/killed', attemptsBefore + phones.length);
  const after = on('/killed').slice(attemptsBefore);
  expect(after.map(({ body }) => body.phone).sort()).toStrictEqual(phones);
  for (const { headers, body } of after)
    if (before.has(body.phone)) expect(headers['webhook-id']).toBe(before.get(body.phone));
}, 120_000);

describe('the database of the stopped service', () => {
  let database: Database;
  let silentRequestId: string;

  beforeAll(async () => {
    silentRequestId = await send(['+254711004327'], undefined, 'no callback');
    // Delivered after the one without a callback: nothing is left to do when it is here.
    await send(['+254711004328'], '/last');
    await received('/last', 1);
    expect(await sms.service.stop()).toBe(0);
    const { databaseUrl, dataDirectory } = sms.service;
    database = await openDatabase(
      { databaseUrl, dataDirectory, poolSize: 2 },
      pino({ level: 'silent' }),
      (error) => {
        throw error;
      },
    );
  });
  afterAll(() => database?.close());

  const receipts = (path: string) => database.knex('receipts').where({ url: url(path) });

  test.each<[string, string, string, number, number]>([
    ['acknowledged', '/twice', 'Delivered', 3, 200],
    ['exhausted', '/never', 'Exhausted', 4, 503],
    ['gone', '/gone', 'Exhausted', 1, 410],
    ['a redirect', '/moved', 'Exhausted', 4, 302],
  ])('%s: %s is %s after %i', async (_rule, path, state, attempts, status) => {
    const [receipt] = await receipts(path);
    expect(receipt).toMatchObject({ state, attempts });
    expect(receipt.attempt_log).toHaveLength(attempts);
    expect(receipt.attempt_log.at(-1)).toMatchObject({ status });
    expect(on(path)).toHaveLength(attempts);
  });

  test('nobody followed the redirect', () => {
    expect(on('/elsewhere')).toStrictEqual([]);
  });

  test('…0008 waits for its report and has no receipt', async () => {
    const [message] = await database
      .knex('messages')
      .where({ request_id: outcomesRequestId, phone: '+254711000008' });
    expect(message).toMatchObject({ state: 'Submitted' });
    expect(await database.knex('receipts').where({ message_id: message.id })).toStrictEqual([]);
  });

  test('without a callbackUrl there is no receipt', async () => {
    const where = { request_id: silentRequestId };
    expect(await database.knex('messages').where(where)).toMatchObject([{ state: 'Delivered' }]);
    expect(await database.knex('receipts').where(where)).toStrictEqual([]);
  });

  test('InvalidMsisdn and Failed are refunded, all others are spent', async () => {
    const refunds = await database
      .knex('ledger_entries')
      .join('messages', 'messages.id', 'ledger_entries.message_id')
      .where({ 'ledger_entries.reason': 'Refund' })
      .select('messages.state', 'messages.phone', 'ledger_entries.units')
      .orderBy('messages.phone');
    expect(refunds).toStrictEqual([
      { state: 'Failed', phone: '+254711000001', units: '1' },
      { state: 'InvalidMsisdn', phone: '+254711000005', units: '1' },
    ]);
  });
});
