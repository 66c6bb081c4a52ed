/** Chat-app messages at the Cloud API: what is posted, what each error code leads to, and what silence does. */

import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FilledTemplate } from '../../products/chatapp/templates/filled-template.ts';
import type { Connector, OutboundMessage } from '../contract/connector.ts';
import { longLease } from '../contract/lease-testing.ts';
import {
  outbound,
  type Received,
  type Stub,
  type StubAnswer,
  startStub,
  type TestContext,
  testContext,
} from '../http/provider-testing.ts';
import { checkSettings } from '../runtime/settings.ts';
import { whatsAppKind } from './whatsapp.ts';

let stub: Stub;
let context: TestContext;
let connector: Connector;

const filled: FilledTemplate = {
  name: 'order_shipped',
  language: 'en',
  body: [{ name: 'name', value: 'Asha' }],
};
const template = {
  name: 'order_shipped',
  language: { code: 'en' },
  components: [{ type: 'body', parameters: [{ type: 'text', parameter_name: 'name', text: 'Asha' }] }],
};
const message = (more: Partial<OutboundMessage> = {}) =>
  outbound({ product: 'chatapp', channel: '106540352242922', content: JSON.stringify(filled), ...more });
const taken: StubAnswer = {
  status: 200,
  body: {
    messaging_product: 'whatsapp',
    contacts: [{ input: '+254711000000', wa_id: '254711000000' }],
    messages: [{ id: 'wamid.1', message_status: 'accepted' }],
  },
};
const fault = (code: number, status = 400): StubAnswer => ({
  status,
  body: { error: { code, message: `(#${code}) says no`, type: 'OAuthException', fbtrace_id: 'A' } },
});
const open = (settings: object = {}) =>
  whatsAppKind.open(
    checkSettings(whatsAppKind, { baseUrl: stub.url, timeoutSeconds: 10, ...settings }),
    { token: 'secret-token' },
    context,
  );

const send = (...messages: OutboundMessage[]) =>
  connector.send(messages.length === 0 ? [message()] : messages, longLease);

beforeEach(async () => {
  stub = await startStub(() => taken);
  context = testContext();
  connector = open();
});
afterEach(async () => {
  await connector.close?.();
  await stub.close();
});

describe('a message', () => {
  test.each([
    ['+254711000000', { to: '+254711000000' }],
    ['KE.13491208655302741918', { recipient: 'KE.13491208655302741918' }],
    ['US.ENT.11815799212886844830', { recipient: 'US.ENT.11815799212886844830' }],
  ])('to a number, or to the id of somebody whose number is not known: %s', async (phone, address) => {
    await send(message({ phone }));
    const { to, recipient, recipient_type } = (stub.received[0]?.body ?? {}) as Record<string, unknown>;
    expect({ to, recipient, recipient_type }).toEqual({
      ...{ to: undefined, recipient: undefined, recipient_type: 'individual' },
      ...address,
    });
  });

  test('is posted as the Cloud API documents it, with our reference', async () => {
    expect(await send()).toEqual([{ kind: 'accepted', networkId: 'wamid.1' }]);
    const [{ method, url, headers, body } = {} as Received] = stub.received;
    expect([method, url, headers.authorization]).toEqual([
      'POST',
      '/v23.0/106540352242922/messages',
      'Bearer secret-token',
    ]);
    expect(body).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+254711000000',
      type: 'template',
      template,
      biz_opaque_callback_data: 'tarishi-17',
    });
  });

  test('is posted from another number, with another version, if the settings say so', async () => {
    const other = open({ phoneNumberId: '2', version: 'v19.0', baseUrl: `${stub.url}/proxy/` });
    await other.send([message()], longLease);
    expect(stub.received[0]?.url).toBe('/proxy/v19.0/2/messages');
    await other.close?.();
  });
});

test('a message that cannot be rendered is named, and the others are sent', async () => {
  expect(await send(message(), message({ id: '18', content: '{' }), message({ id: '19' }))).toEqual([
    { kind: 'accepted', networkId: 'wamid.1' },
    { kind: 'faulty', reason: 'the message cannot be written' },
    { kind: 'accepted', networkId: 'wamid.1' },
  ]);
});

const url = 'https://client.example/a';

test.each([
  [{ text: 'Leo' }, { type: 'text', text: { body: 'Leo' } }],
  [
    { media: { kind: 'DOCUMENT', url, caption: 'Risiti', filename: 'a.pdf' } },
    { type: 'document', document: { link: url, caption: 'Risiti', filename: 'a.pdf' } },
  ],
  [{ media: { kind: 'AUDIO', url } }, { type: 'audio', audio: { link: url } }],
])('%j, which needs no template', async (content, sent) => {
  await send(message({ content: JSON.stringify(content) }));
  expect(stub.received.at(-1)?.body).toEqual({
    ...{ messaging_product: 'whatsapp', recipient_type: 'individual', to: '+254711000000' },
    ...{ ...sent, biz_opaque_callback_data: 'tarishi-17' },
  });
});

describe('an error', () => {
  test.each([100, 132000, 999999])('%s is permanent', async (code) => {
    stub.answer = () => fault(code);
    expect(await send()).toEqual([
      { kind: 'rejected', state: 'Failed', reason: `(#${code}) says no`, reasonCode: String(code) },
    ]);
    expect([context.pauses, context.news]).toEqual([[], []]);
  });

  test('131050 is an opt-out', async () => {
    stub.answer = () => fault(131050);
    expect(await send()).toMatchObject([
      { kind: 'rejected', state: 'SubscriberOptedOut', reasonCode: '131050' },
    ]);
  });

  test.each([
    [132015, 'PAUSED'],
    [132016, 'DISABLED'],
  ])('%s is permanent, and its template is %s', async (code, approvalStatus) => {
    stub.answer = () => fault(code);
    expect(await send()).toMatchObject([{ kind: 'rejected', reasonCode: String(code) }]);
    expect(context.news).toMatchObject([{ name: 'order_shipped', language: 'en', approvalStatus }]);
  });

  test.each<[number, number]>([
    [190, 401],
    [200, 400],
    [299, 400],
    [131045, 500],
    [999999, 403],
  ])('%s pauses the sender, and the message waits', async (code, status) => {
    stub.answer = () => fault(code, status);
    expect(await send()).toMatchObject([{ kind: 'later' }]);
    expect(context.pauses).toEqual([expect.stringContaining(String(code))]);
    expect(await send(message({ id: '18' }))).toMatchObject([{ kind: 'later' }]);
    expect(stub.received).toHaveLength(1);
  });

  test.each<[number, number]>([
    [130429, 400],
    [999999, 429],
  ])('%s with %s slows all messages down, more each time', async (code, status) => {
    stub.answer = () => fault(code, status);
    const delays = [];
    for (let round = 0; round < 3; round += 1) {
      const [outcome] = await send();
      if (outcome?.kind !== 'later') throw new Error(JSON.stringify(outcome));
      delays.push(outcome.delaySeconds);
      expect(await send(message({ id: '18', phone: '+254733000000' }))).toMatchObject([
        { kind: 'later', delaySeconds: outcome.delaySeconds },
      ]);
      context.clock.advance(outcome.delaySeconds);
    }
    expect([delays, stub.received.length]).toEqual([[1, 2, 4], 3]);
    expect(context.trouble.seen()).toEqual({ throttled: true, lastError: null });
    stub.answer = () => taken;
    expect(await send()).toMatchObject([{ kind: 'accepted' }]);
    expect(await send(message({ id: '18' }))).toMatchObject([{ kind: 'accepted' }]);
  });

  test('131056 slows only that recipient down, by powers of four', async () => {
    stub.answer = ({ body }) => (body.to === '+254711000000' ? fault(131056) : taken);
    const delays = [];
    for (let round = 0; round < 4; round += 1) {
      const [slow, other] = await send(message(), message({ id: '18', phone: '+254733000000' }));
      if (slow?.kind !== 'later') throw new Error(JSON.stringify(slow));
      expect(other).toMatchObject({ kind: 'accepted' });
      delays.push(slow.delaySeconds);
      const calls = stub.received.length;
      expect(await send()).toEqual([slow]);
      expect(stub.received).toHaveLength(calls);
      context.clock.advance(slow.delaySeconds);
    }
    expect(delays).toEqual([1, 4, 16, 64]);
  });

  test.each<[number, number]>([
    [131016, 400],
    [999999, 500],
  ])('%s is retried, five times in all', async (code, status) => {
    stub.answer = () => fault(code, status);
    const kinds = [];
    for (let round = 0; round < 5; round += 1) kinds.push((await send())[0]?.kind);
    expect(kinds).toEqual(['later', 'later', 'later', 'later', 'rejected']);
  });
});

describe('a hand-over without a response', () => {
  test.each<[string, StubAnswer]>([
    ['a dropped connection', 'drop'],
    ['a gateway that gives up', { status: 504 }],
  ])('%s: waits for a status before sending again', async (_name, answer) => {
    stub.answer = () => answer;
    expect(await send()).toMatchObject([{ kind: 'unclear' }]);
    expect(await connector.ask?.([message()])).toEqual([{ kind: 'unclear', delaySeconds: 120 }]);
    context.clock.advance(119);
    expect(await connector.ask?.([message()])).toEqual([{ kind: 'unclear', delaySeconds: 1 }]);
    context.clock.advance(1);
    expect(await connector.ask?.([message()])).toEqual([{ kind: 'unknown', waited: true }]);
    // The next unknown outcome has a wait of its own.
    expect(await connector.ask?.([message()])).toEqual([{ kind: 'unclear', delaySeconds: 120 }]);
    expect(stub.received).toHaveLength(1);
  });

  test('no connection at all: the network has seen nothing', async () => {
    await stub.close();
    expect(await send()).toEqual([{ kind: 'later', delaySeconds: 1 }]);
  });

  test('after the last attempt the message waits for the end of the silence', async () => {
    connector = open({ tries: 2 });
    stub.answer = () => 'drop';
    expect(await send()).toMatchObject([{ kind: 'unclear' }]);
    expect(await send()).toEqual([{ kind: 'accepted' }]);
  });
});
