/** Receipts as a client meets them: what becomes of SMS, bundles and chat-app messages, signed, on its own server. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { schemaNamed, undocumented } from '../../../spec/document.ts';
import { bundleToEach, defaultService } from '../../support/requests/disbursement.ts';
import { toMany } from '../../support/requests/sms.ts';
import { type DemoCaller, demoCallerIn } from '../../support/service/demo-client.ts';
import type { InProcess } from '../../support/service/in-process.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { rowsOf, unbalancedAccounts } from '../../support/service/stored-data.ts';

const correlator = 'order "17" – Ürün 😀';
/** Refused at once, refused later or in doubt, never reported, and delivered. */
const suffixes = ['0001', '0007', '0008', '4321'];
const phones = suffixes.map((suffix) => `0711 00-${suffix}`);

let client: DemoCaller<InProcess>;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  client = await demoCallerIn({ RECEIPT_SCHEDULE_SECONDS: '0.1' }, { delivers: true });
});
afterAll(async () => {
  await client?.service.dispose();
  receiver.close();
});

/** Sends, and returns the id of the request. */
async function send(path: string, callbackPath: string, body: object): Promise<string> {
  const receiptRequest = { correlator, callbackUrl: receiver.url(callbackPath) };
  const answer = await client.post(path, { ...body, receiptRequest });
  expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('requestId')]);
  return (answer.body.result ?? answer.body).requestId;
}

/** The receipts of a request: as the document says, signed, each with an id of its own. What they say, by phone. */
async function receiptsOf(requestId: string, path: string, count: number): Promise<Record<string, string[]>> {
  const callbacks = await receiver.received(path, count);
  const webhook = new Webhook(client.demo.signingSecret);
  for (const { method, headers, text, body } of callbacks) {
    expect([method, headers['content-type']]).toEqual(['POST', 'application/json']);
    expect(undocumented(schemaNamed(body.type), body)).toBeUndefined();
    expect(body).toMatchObject({ requestId, correlator });
    expect(webhook.verify(text, headers as Record<string, string>)).toStrictEqual(body);
  }
  expect(new Set(callbacks.map(({ headers }) => headers['webhook-id'])).size).toBe(callbacks.length);
  const said: Record<string, string[]> = {};
  for (const { body } of callbacks) {
    const { type, phone, deliveryStatus } = body;
    const of = `${type.replace('DeliveryReceipt', '')} ${phone.slice(-4)}`;
    said[of] = [...(said[of] ?? []), deliveryStatus];
  }
  return said;
}

test('of an SMS one', async () => {
  const id = await send(`/message/${client.demo.smsServiceId}`, '/sms', toMany(phones));
  expect(await receiptsOf(id, '/sms', 3)).toEqual({
    'Sms 0001': ['Failed'],
    'Sms 0007': ['DeliveryUncertain'],
    'Sms 4321': ['Delivered'],
  });
});

test('of a bundle one, and of the SMS with it, which is sent when the bundle is delivered', async () => {
  const disbursements = phones.map((phone) => ({ phone, denomination: '1GB', message: 'Enjoy' }));
  const body = bundleToEach(disbursements, { messaging: defaultService });
  const id = await send(`/data/${client.demo.campaigns.open}`, '/bundles', body);
  expect(await receiptsOf(id, '/bundles', 4)).toEqual({
    'Data 0001': ['Failed'],
    'Data 0007': ['Uncertain'],
    'Data 4321': ['Delivered'],
    'Sms 4321': ['Delivered'],
  });
  const [bundle, sms] = receiver.on('/bundles').filter(({ body: { phone } }) => phone.endsWith('4321'));
  expect([bundle?.body.type, sms?.body.type]).toEqual(['DataDeliveryReceipt', 'SmsDeliveryReceipt']);
});

test('of a chat-app message one for every step, in order', async () => {
  const { id: templateId, params } = client.demo.chatAppTemplates.named;
  const [phoneNumberId] = client.demo.phoneNumberIds;
  const body = { type: 'TemplateSendToMany', phoneNumberId, templateId, addresses: phones, params };
  const id = await send(`/message/${client.demo.chatAppServiceId}/chatapp`, '/chat', body);
  expect(await receiptsOf(id, '/chat', 6)).toEqual({
    'ChatApp 0001': ['Failed'],
    'ChatApp 0007': ['Sent', 'Uncertain'],
    'ChatApp 4321': ['Sent', 'Delivered', 'Read'],
  });
  const steps = receiver.on('/chat').filter(({ body: { phone } }) => phone.endsWith('4321'));
  expect(steps.map(({ body: { sequence } }) => sequence)).toEqual([1, 2, 3]);
  expect(new Set(steps.map(({ body: { messageId } }) => messageId)).size).toBe(1);
});

test('then what was refused is refunded, what nobody has reported waits, and nothing was given twice', async () => {
  const { knex, settle } = client.service;
  await settle();
  const stored = await rowsOf<{ of: string; refunds: number }>(
    knex,
    `select product || ' ' || right(phone, 4) || ' ' || state as of, count(e.id)::integer as refunds
       from messages m left join ledger_entries e on e.message_id = m.id and e.reason = 'Refund'
       group by 1 order by 1`,
  );
  expect(stored.map(({ of, refunds }) => `${of}, ${refunds} refunds`)).toEqual([
    'chatapp 0001 Failed, 1 refunds',
    'chatapp 0007 Uncertain, 0 refunds',
    'chatapp 0008 Submitted, 0 refunds',
    'chatapp 4321 Read, 0 refunds',
    'data 0001 Failed, 1 refunds',
    'data 0007 Uncertain, 0 refunds',
    'data 0008 Submitted, 0 refunds',
    'data 4321 Delivered, 0 refunds',
    'sms 0001 Cancelled, 1 refunds',
    'sms 0001 Failed, 1 refunds',
    'sms 0007 Cancelled, 1 refunds',
    'sms 0007 DeliveryUncertain, 0 refunds',
    'sms 0008 Held, 0 refunds',
    'sms 0008 Submitted, 0 refunds',
    'sms 4321 Delivered, 0 refunds',
  ]);
  expect(await rowsOf(knex, 'select message_id from simulated_bundles where times <> 1')).toEqual([]);
  expect(await unbalancedAccounts(knex)).toEqual([]);
});
