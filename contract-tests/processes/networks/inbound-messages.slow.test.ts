/** What phones send through an SMSC: stored before it is acknowledged, listed and posted. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { schemaNamed, undocumented } from '../../../spec/document.ts';
import { edit } from '../../support/management/caller.ts';
import { addTeam } from '../../support/management/team.ts';
import { type Smsc, startSmsc } from '../../support/networks/smsc.ts';
import { addSafaricomConnector } from '../../support/prepared/connectors.ts';
import { type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';
import { until } from '../../support/service/pages.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';

const shortCode = '22141';
const from = '254711000000';

let sms: SmsService;
let receiver: Receiver;
let smsc: Smsc;

beforeAll(async () => {
  smsc = await startSmsc();
  const settings = { host: '127.0.0.1', port: smsc.port, systemId: 'tarishi' };
  sms = await startSms({}, async (prepared) => {
    await addSafaricomConnector(prepared, { name: 'smsc', kind: 'smpp', settings });
    // That of the demo.
    await prepared.knex('inbound_messages').delete();
    await prepared
      .knex('senders')
      .insert({ id: 'orders', team_id: 'demo', name: 'Orders', sender: shortCode });
    await prepared.knex('services').where({ id: 'demo-sms' }).update({ sender: shortCode });
  });
  receiver = await startReceiver();
  await smsc.bound;
});
afterAll(async () => {
  await sms?.service.dispose();
  receiver?.close();
  await smsc?.close();
});

/** Resolves to the status of the response. */
const deliver = (short_message: string, fields: object = {}) =>
  smsc.deliver({ source_addr: from, destination_addr: shortCode, short_message, ...fields });

const list = (query = '', token = sms.token) => sms.get(`/inbound-messages${query}`, token);

test('200: a text is stored before it is acknowledged, with the request that it replies to', async () => {
  const { body } = await sms.send(
    toMany([`+${from}`], 'Habari', {
      receiptRequest: { correlator: 'order-1', callbackUrl: 'https://client.example/' },
    }),
  );
  const { requestId } = body.result;
  await until(
    () => sms.get(`/messages?requestId=${requestId}`),
    ([message]) => message.state === 'Submitted',
  );
  expect(await deliver('Asante')).toBe(0);
  expect((await list()).body.items).toEqual([
    {
      type: 'InboundMessage',
      messageId: expect.any(String),
      product: 'Sms',
      serviceId: 'demo-sms',
      from: `+${from}`,
      to: shortCode,
      kind: 'Text',
      text: 'Asante',
      receivedAt: expect.any(String),
      inReplyTo: { requestId, correlator: 'order-1' },
    },
  ]);
});

test('200: pages, by phone and time, of the own team only', async () => {
  expect(await deliver('Karibu', { source_addr: '254711000001' })).toBe(0);
  const first = (await list('?limit=1')).body;
  expect(first.items).toMatchObject([{ text: 'Karibu' }]);
  const rest = (await list(`?limit=2&cursor=${encodeURIComponent(first.next)}`)).body;
  expect([rest.items.length, rest.next]).toEqual([1, undefined]);
  expect((await list('?phone=0711000001')).body.items).toMatchObject([{ from: '+254711000001' }]);
  expect((await list('?to=2020-01-02T00:00:00Z')).body.items).toEqual([]);
  const other = await addTeam(sms.service);
  const token = await tokenFor(sms.demo.baseUrl, other);
  expect((await list('', token)).body).toEqual({ items: [] });
});

test('webhook: a message is posted, signed, listed among the receipts and posted again on request', async () => {
  const { operate } = sms.service;
  await edit(operate, '/sms-services/demo-sms', { inboundCallbackUrl: receiver.url('/inbound') });
  receiver.replies.set('/inbound', () => ({ status: 503 }));
  expect(await deliver('Nyota')).toBe(0);
  await receiver.received('/inbound', 1);
  receiver.replies.delete('/inbound');
  const [message] = (await list('?limit=1')).body.items;
  const { body: resent } = await sms.post(`/receipts/${message.messageId}/resend`, undefined);
  expect(resent).toMatchObject({
    receiptId: message.messageId,
    inboundMessageId: message.messageId,
    sequence: 1,
  });
  expect(resent.requestId).toBeUndefined();
  const callbacks = await receiver.received('/inbound', 2);
  for (const { text, headers } of callbacks) {
    const posted = new Webhook(sms.demo.signingSecret).verify(text, headers as Record<string, string>);
    expect(posted).toEqual(message);
    expect(undocumented(schemaNamed('InboundMessage'), posted)).toBeUndefined();
    expect(headers['webhook-id']).toBe(message.messageId);
  }
  const { body } = await until(
    () => sms.get('/receipts?state=Delivered'),
    (receipts) => receipts.some(({ inboundMessageId }) => inboundMessageId === message.messageId),
  );
  expect(body.items[0]).toMatchObject({ state: 'Delivered', callbackUrl: receiver.url('/inbound') });
});
