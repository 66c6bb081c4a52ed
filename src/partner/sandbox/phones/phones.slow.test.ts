/** Phones that write to services of the sandbox, and to a client of its SMSC. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { npmSmpp, type PeerPdu } from '../../../connectors/smpp/peers/npm-smpp-testing.ts';
import { type Receiver, startReceiver, startTestSandbox, type TestSandbox } from '../sandbox-testing.ts';

let sandbox: TestSandbox;
let receiver: Receiver;
beforeAll(async () => {
  sandbox = await startTestSandbox({ smppPort: 0 });
  receiver = await startReceiver(sandbox.description.signingSecret);
});
afterEach(async () => {
  await sandbox.control('POST', '/sandbox/reset');
  receiver.received.length = 0;
});
afterAll(async () => {
  await receiver.close();
  await sandbox.stop();
});

test('a phone replies to a service: the reply is posted with the request, and a service that is unknown gets 404', async () => {
  await sandbox.send(`/message/${sandbox.description.serviceId}`, {
    type: 'SendToMany',
    addresses: ['+254711000000'],
    message: 'Habari',
    receiptRequest: { correlator: 'order-17', callbackUrl: receiver.url },
  });
  await sandbox.advance('PT1S');
  const { serviceId, chatAppServiceId } = sandbox.description;
  const text = { from: '+254711000000', serviceId, text: 'Asante', callbackUrl: receiver.url };
  expect((await sandbox.control('POST', '/sandbox/inbound-messages', text)).status).toBe(204);
  const chat = { ...text, serviceId: chatAppServiceId, text: 'Habari' };
  expect((await sandbox.control('POST', '/sandbox/inbound-messages', chat)).status).toBe(204);
  await sandbox.advance('PT1S');
  const heard = receiver.received.filter(({ type }) => type === 'InboundMessage');
  expect(heard).toMatchObject([
    {
      product: 'Sms',
      serviceId,
      from: '+254711000000',
      text: 'Asante',
      inReplyTo: { correlator: 'order-17' },
    },
    { product: 'ChatApp', serviceId: chatAppServiceId, text: 'Habari' },
  ]);
  const nobody = { ...text, serviceId: 'nobody' };
  expect((await sandbox.control('POST', '/sandbox/inbound-messages', nobody)).status).toBe(404);
});

const advance = (duration: string) => sandbox.advance(duration);
const offer = (phone: string) =>
  sandbox.send('/message/demo-offers', {
    type: 'SendToMany',
    addresses: [phone],
    message: 'Ofa ya wiki',
    receiptRequest: { callbackUrl: receiver.url },
  });
const messages = async (phone: string) =>
  (await sandbox.list('messages'))
    .filter((message) => message.phone === phone)
    .map(({ text, state }) => [text, state]);

test('…0011 writes STOP to each message: it is confirmed once, and nothing promotional is sent from then on', async () => {
  const phone = '+254711000011';
  const start = { serviceId: 'demo-offers', from: phone, text: 'START', callbackUrl: receiver.url };
  await sandbox.control('POST', '/sandbox/inbound-messages', { ...start, text: 'Habari' });
  await offer(phone);
  // The confirmation is a message too, and gets a STOP.
  await advance('PT10S');
  await offer(phone);
  await advance('PT10S');
  expect(
    receiver.received.map(({ text, keyword, deliveryStatus }) => [text, keyword ?? deliveryStatus]),
  ).toEqual([
    ['Habari', undefined],
    [undefined, 'Delivered'],
    ['STOP', 'STOP'],
    ['STOP', 'STOP'],
    [undefined, 'SubscriberOptedOut'],
  ]);
  expect(await messages(phone)).toEqual([
    ['Ofa ya wiki', 'Delivered'],
    [expect.stringContaining('START'), 'Delivered'],
    ['Ofa ya wiki', 'SubscriberOptedOut'],
  ]);
  await sandbox.control('POST', '/sandbox/inbound-messages', start);
  await offer(phone);
  await advance('PT1S');
  expect((await messages(phone)).slice(-1)).toEqual([['Ofa ya wiki', 'Delivered']]);
});

test('a script has a number reply what a test wants', async () => {
  const phone = '+254711000017';
  const steps = [
    { step: 'report', state: 'Delivered' },
    { step: 'reply', text: 'Ndiyo', after: 'PT10M' },
  ];
  await sandbox.control('PUT', `/sandbox/numbers/${phone}`, { steps });
  const text = { from: phone, serviceId: 'demo-offers', text: 'Habari', callbackUrl: receiver.url };
  await sandbox.control('POST', '/sandbox/inbound-messages', text);
  const { body } = await offer(phone);
  const { requestId } = (body as { result: { requestId: string } }).result;
  await advance('PT9M');
  const heard = () => receiver.received.filter(({ type }) => type === 'InboundMessage');
  expect(heard()).toHaveLength(1);
  await advance('PT2M');
  expect(heard().slice(1)).toMatchObject([{ from: phone, text: 'Ndiyo', inReplyTo: { requestId } }]);
});

test('a script has a conversation: each reply of the client gets the next one, and a picture can be read', async () => {
  const phone = '+254711000018';
  const {
    chatAppServiceId: serviceId,
    phoneNumberIds: [phoneNumberId],
  } = sandbox.description;
  const turns = [
    { step: 'reply', turn: 1, text: 'Iko wapi?' },
    { step: 'reply', turn: 2, text: 'Hii', picture: true },
  ];
  await sandbox.control('PUT', `/sandbox/numbers/${phone}`, { steps: turns });
  const first = { from: phone, serviceId, text: 'Habari', callbackUrl: receiver.url };
  await sandbox.control('POST', '/sandbox/inbound-messages', first);
  await advance('PT1S');
  const heard = () => receiver.received.filter(({ type }) => type === 'InboundMessage');
  for (const _turn of [1, 2, 3]) {
    const inReplyTo = heard().at(-1)?.messageId;
    await sandbox.send(`/message/${serviceId}/chatapp`, {
      type: 'Reply',
      phoneNumberId,
      inReplyTo,
      text: 'Sawa',
    });
    await advance('PT5S');
  }
  expect(heard().map(({ text, kind }) => [text, kind])).toEqual([
    ['Habari', 'Text'],
    ['Iko wapi?', 'Text'],
    ['Hii', 'Media'],
  ]);
  expect(await messages(phone)).toEqual(Array(3).fill(['Sawa', 'Submitted']));
});

test('the SMSC delivers texts of phones, long ones in parts, and what a number replies', async () => {
  const session = npmSmpp.connect({ url: `smpp://127.0.0.1:${sandbox.smppPort}` }, () => {});
  const delivered: PeerPdu[] = [];
  const arrived = (count: number) =>
    new Promise<void>((resolve) => {
      session.on('deliver_sm', () => {
        if (delivered.length >= count) resolve();
      });
    });
  session.on('deliver_sm', (pdu: PeerPdu) => {
    delivered.push(pdu);
    session.send(pdu.response());
  });
  const text = { systemId: 'trial', from: '+254711000017', to: '22141', text: 'Asante' };
  // Kept until the client has bound a receiver.
  expect((await sandbox.control('POST', '/sandbox/smsc/messages', text)).status).toBe(204);
  const three = arrived(3);
  await new Promise<PeerPdu>((resolve) =>
    session.bind_transceiver({ system_id: 'trial', password: 'any' }, resolve),
  );
  await sandbox.control('POST', '/sandbox/smsc/messages', { ...text, text: 'a'.repeat(200) });
  await three;
  const five = arrived(5);
  const submitted = { source_addr: '22141', destination_addr: '254711000011', short_message: 'Ofa' };
  session.submit_sm({ ...submitted, registered_delivery: 1 }, () => {});
  await five;
  session.destroy();
  const read = delivered.map(({ esm_class, source_addr, short_message }) => [
    esm_class,
    source_addr,
    String(short_message?.message).slice(0, 6),
  ]);
  expect(read).toEqual([
    [0, '254711000017', 'Asante'],
    [0x40, '254711000017', 'aaaaaa'],
    [0x40, '254711000017', 'aaaaaa'],
    [4, '254711000011', expect.stringContaining('id:')],
    [0, '254711000011', 'STOP'],
  ]);
});

test('a sandbox without an SMSC says so', async () => {
  const plain = await startTestSandbox();
  const text = { systemId: 'trial', from: '+254711000017', to: '22141', text: 'Asante' };
  const { status, body } = await plain.control('POST', '/sandbox/smsc/messages', text);
  await plain.stop();
  expect([status, body]).toEqual([400, { desc: 'The sandbox has no SMSC. Start it with --smpp-port.' }]);
});
