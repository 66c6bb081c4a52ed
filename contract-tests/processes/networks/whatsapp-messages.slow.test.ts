/** Chat-app messages through the WhatsApp connector of the running service: statuses, the webhook, what people send. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { edit } from '../../support/management/caller.ts';
import { secrets, startWhatsApp, to, type WhatsApp } from '../../support/networks/whatsapp.ts';
import { call } from '../../support/service/api.ts';
import { type Receiver, startReceiver } from '../../support/service/receiver.ts';
import { rowsOf, withStoredData } from '../../support/service/stored-data.ts';

let network: WhatsApp;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  network = await startWhatsApp();
});
afterAll(async () => {
  await network?.dispose();
  receiver.close();
});

/** Sends a template to one number; its receipts come to the path. */
const send = (phone: string, path: string) =>
  network.send('otp', phone, { correlator: 'c', callbackUrl: receiver.url(path) });

/** Calls the webhook as the network does. */
function tell(changes: object[], secret = secrets.appSecret) {
  const body = Buffer.from(
    JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] }),
  );
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  return call(network.chat.demo.baseUrl, '/inbound/meta', {
    body,
    headers: { 'x-hub-signature-256': signature },
  });
}
const statuses = (...list: object[]) => [{ field: 'messages', value: { statuses: list } }];
const steps = (path: string) => receiver.on(path).map(({ body }) => body.deliveryStatus);

test('statuses move the message, a receipt each; repeated and forged ones do nothing', async () => {
  await send('+254711000002', '/steps');
  await network.stub.got(1, to('+254711000002'));
  const id = network.lastId();
  const forged = await tell(statuses({ id, status: 'failed' }), 'another-secret');
  expect(forged.status).toBe(401);
  const told = ['sent', 'sent', 'delivered', 'sent', 'read', 'delivered'];
  for (const [index, status] of told.entries()) {
    expect((await tell(statuses({ id, status }))).status).toBe(200);
    await receiver.received('/steps', new Set(told.slice(0, index + 1)).size);
  }
  expect(steps('/steps')).toEqual(['Sent', 'Delivered', 'Read']);
  expect(receiver.on('/steps').map(({ body }) => body.messageId)).toEqual([id, id, id]);
});

test('200: the webhook echoes the challenge as text', async () => {
  const query = `hub.mode=subscribe&hub.verify_token=${secrets.verifyToken}&hub.challenge=1158201444`;
  const answer = await network.chat.get(`/inbound/meta?${query}`);
  expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([
    200,
    '1158201444',
    'text/plain; charset=utf-8',
  ]);
});

test('all that one call says counts: a category, a wish, a STOP under a user id, and whose id that is', async () => {
  const { chat } = network;
  const { operate } = chat.service;
  const { chatAppServiceId, phoneNumberIds } = chat.demo;
  const metadata = { display_phone_number: '254200000000', phone_number_id: phoneNumberIds[0] };
  const template = { message_template_name: 'chat_greeting', message_template_language: 'en' };
  const category = { ...template, previous_category: 'UTILITY', new_category: 'MARKETING' };
  const timestamp = Math.floor(Date.now() / 1000) - 60;
  const wish = { wa_id: '254711000051', category: 'marketing_messages', value: 'stop', timestamp };
  const stop = { from_user_id: 'KE.77', id: 'wamid.nameless', type: 'text', text: { body: 'STOP' } };
  const contacts = [{ wa_id: '254711000071', user_id: 'KE.77' }];
  const told = await tell([
    { field: 'template_category_update', value: category },
    { field: 'user_preferences', value: { metadata, user_preferences: [wish] } },
    { field: 'messages', value: { metadata, contacts, messages: [stop, null] } },
  ]);
  expect(told.status).toBe(200);
  const changed = (await operate('GET /chatapp-templates/chat-greeting')).body;
  expect(changed).toMatchObject({ category: 'MARKETING' });
  expect((await operate('GET /opt-outs')).body.items).toContainEqual(
    expect.objectContaining({ phone: '+254711000051', serviceId: chatAppServiceId, source: 'Network' }),
  );
  expect((await operate('GET /inbound-messages/unreadable')).body.items).toMatchObject([
    { kind: 'Message', reason: 'Malformed' },
  ]);
  const callbackUrl = receiver.url('/other-name');
  await network.send('buttons', '+254711000071', { correlator: 'c', callbackUrl });
  const [receipt] = await receiver.received('/other-name', 1);
  expect(receipt?.body).toMatchObject({ phone: '+254711000071', deliveryStatus: 'SubscriberOptedOut' });
});

test('what a person sends is listed and posted once, with the template that it replies to', async () => {
  const { chat } = network;
  const { chatAppServiceId, phoneNumberIds } = chat.demo;
  const path = `/chatapp-services/${chatAppServiceId}`;
  await edit(chat.service.operate, path, { inboundCallbackUrl: receiver.url('/inbound') });
  await send('+254711000041', '/answered');
  await network.stub.got(1, to('+254711000041'));
  await tell(statuses({ id: network.lastId(), status: 'sent' }));
  await receiver.received('/answered', 1);
  const metadata = { display_phone_number: '254200000000', phone_number_id: phoneNumberIds[0] };
  const message = { from: '254711000041', id: 'wamid.in', type: 'button', button: { text: 'Ndiyo' } };
  const heard = [{ field: 'messages', value: { metadata, messages: [message, message] } }];
  expect([(await tell(heard)).status, (await tell(heard)).status]).toEqual([200, 200]);
  const [callback] = await receiver.received('/inbound', 1);
  expect(callback?.body).toMatchObject({
    type: 'InboundMessage',
    product: 'ChatApp',
    serviceId: chatAppServiceId,
    from: '+254711000041',
    kind: 'Button',
    text: 'Ndiyo',
    inReplyTo: { correlator: 'c' },
  });
  const listed = await chat.get('/inbound-messages?phone=%2B254711000041');
  expect(listed.body).toEqual({ items: [callback?.body] });
  expect(receiver.on('/inbound')).toHaveLength(1);

  // For 24 hours they can be replied to without a template.
  const { messageId: inReplyTo, receivedAt, replyableUntil } = callback?.body ?? {};
  expect(Date.parse(replyableUntil) - Date.parse(receivedAt)).toBe(24 * 3_600_000);
  const document = { kind: 'DOCUMENT', url: 'https://client.example/a.pdf', filename: 'a.pdf' };
  for (const content of [{ text: 'Leo' }, { media: { ...document, caption: 'Risiti' } }])
    expect(
      await chat.send({ type: 'Reply', phoneNumberId: phoneNumberIds[0], inReplyTo, ...content }),
    ).toMatchObject({ status: 200, body: { result: { units: { SERVICE: 1 } } } });
  const [, ...replies] = await network.stub.got(3, to('+254711000041'));
  expect(replies.map(({ body }) => body)).toMatchObject([
    { type: 'text', text: { body: 'Leo' } },
    {
      type: 'document',
      document: { link: 'https://client.example/a.pdf', filename: 'a.pdf', caption: 'Risiti' },
    },
  ]);
});

test('a file is streamed to the team that got it, as an attachment', async () => {
  const { chat } = network;
  const metadata = { display_phone_number: '254200000000', phone_number_id: chat.demo.phoneNumberIds[0] };
  const image = { id: '77', mime_type: 'text/html', caption: 'Picha' };
  const message = { from: '254711000042', id: 'wamid.image', type: 'image', image };
  await tell([{ field: 'messages', value: { metadata, messages: [message] } }]);
  const { body } = await chat.get('/inbound-messages?phone=%2B254711000042');
  const path = `/inbound-messages/${body.items[0].messageId}/media`;
  network.stub.answer = ({ url }) => ({
    status: 200,
    body: url === '/file' ? '<h1>Habari</h1>' : { url: `${network.stub.url}/file` },
  });
  const file = await chat.get(path);
  network.stub.answer = network.taken;
  expect([file.status, file.text]).toEqual([200, '<h1>Habari</h1>']);
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'text/html',
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  });
  // The stub responds as if to a message, so without the address of a file.
  expect((await chat.get(path)).status).toBe(404);
});

test('afterwards no forged report waits, and the log contains no secret or number', async () => {
  await network.chat.service.stop();
  const reports = await withStoredData(network.chat.service, (knex) =>
    rowsOf(knex, 'select * from network_reports'),
  );
  expect(reports).toEqual([]);
  // The greeting, which is not in the log, suggests such a number.
  const lines = network.chat.service.output().split('\n');
  const log = lines.filter((line) => line.startsWith('{'));
  expect(log.join('\n')).not.toMatch(/canary|\+?25471100000\d/);
});
