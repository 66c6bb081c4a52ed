/** What phones send through an SMSC: stored once and whole before it is acknowledged, and listed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { schemaNamed, undocumented } from '../../../spec/document.ts';
import {
  npmSmpp,
  type PeerPdu,
  type PeerSession,
} from '../../../src/connectors/smpp/peers/npm-smpp-testing.ts';
import { edit } from '../../support/management/caller.ts';
import { addTeam } from '../../support/management/team.ts';
import { addSafaricomConnector } from '../../support/prepared/connectors.ts';
import { type SmsService, startSms, toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { until } from '../../support/service/pages.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';

const shortCode = '22141';
const from = '254711000000';

let sms: SmsService;
let receiver: Receiver;
let session: PeerSession;
let server: ReturnType<typeof npmSmpp.createServer>;

beforeAll(async () => {
  const bound = new Promise<PeerSession>((resolve) => {
    server = npmSmpp.createServer((peer) => {
      peer.on('bind_transceiver', (pdu: PeerPdu) => {
        peer.send(pdu.response({ command_status: 0 }));
        resolve(peer);
      });
      peer.on('submit_sm', (pdu: PeerPdu) => peer.send(pdu.response({ message_id: '1' })));
      peer.on('enquire_link', (pdu: PeerPdu) => peer.send(pdu.response()));
      peer.on('unbind', (pdu: PeerPdu) => peer.send(pdu.response()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const settings = { host: '127.0.0.1', port: server.address().port, systemId: 'tarishi' };
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
  session = await bound;
});
afterAll(async () => {
  await sms?.service.dispose();
  receiver?.close();
  session?.destroy();
  server?.close(() => {});
});

/** Resolves to the status of the response. */
const deliver = (short_message: unknown, fields: object = {}) =>
  new Promise<number>((resolve) => {
    const addresses = { source_addr: from, destination_addr: shortCode };
    session.deliver_sm({ ...addresses, short_message, ...fields }, ({ command_status }) =>
      resolve(command_status),
    );
  });

const list = (query = '', token = sms.token) =>
  call(sms.demo.baseUrl, `/inbound-messages${query}`, { method: 'GET', token });

const part = (number: number, text: string) =>
  deliver({ udh: Buffer.from([5, 0, 3, 42, 2, number]), message: text }, { esm_class: 0x40 });

test('200: a text is stored before it is acknowledged, with the request that it replies to', async () => {
  const { body } = await sms.send(
    toMany([`+${from}`], 'Habari', {
      receiptRequest: { correlator: 'order-1', callbackUrl: 'https://client.example/' },
    }),
  );
  const { requestId } = body.result;
  await until(
    () => call(sms.demo.baseUrl, `/messages?requestId=${requestId}`, { method: 'GET', token: sms.token }),
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

test('200: a text in parts is stored once and whole, in whatever order and however often they come', async () => {
  expect([await part(2, 'ya asubuhi'), await part(2, 'ya asubuhi'), await part(1, 'Habari ')]).toEqual([
    0, 0, 0,
  ]);
  expect(await part(1, 'Habari ')).toBe(0);
  const { items } = (await list()).body;
  expect(items.map(({ text }: { text: string }) => text)).toEqual(['Habari ya asubuhi', 'Asante']);
});

test('200: pages, by phone and time, of the own team only', async () => {
  expect(await deliver('Karibu', { source_addr: '254711000001' })).toBe(0);
  const first = (await list('?limit=1')).body;
  expect(first.items).toMatchObject([{ text: 'Karibu' }]);
  const rest = (await list(`?limit=2&cursor=${encodeURIComponent(first.next)}`)).body;
  expect([rest.items.length, rest.next]).toEqual([2, undefined]);
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
  const get = (path: string) => call(sms.demo.baseUrl, path, { method: 'GET', token: sms.token });
  const [message] = (await list('?limit=1')).body.items;
  const { body: resent } = await call(sms.demo.baseUrl, `/receipts/${message.messageId}/resend`, {
    token: sms.token,
  });
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
    () => get('/receipts?state=Delivered'),
    (receipts) => receipts.some(({ inboundMessageId }) => inboundMessageId === message.messageId),
  );
  expect(body.items[0]).toMatchObject({ state: 'Delivered', callbackUrl: receiver.url('/inbound') });
});
