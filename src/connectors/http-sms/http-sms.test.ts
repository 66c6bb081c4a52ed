/** SMS at an HTTP provider: what is asked, what each response means, and what is sent again. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Connector } from '../contract/connector.ts';
import { longLease } from '../contract/lease-testing.ts';
import {
  outbound as anyOutbound,
  type Stub,
  type StubAnswer,
  startStub,
  type TestContext,
  testContext,
} from '../http/provider-testing.ts';
import { checkSettings } from '../runtime/settings.ts';
import { httpSmsKind } from './http-sms.ts';

const sms = (more: Parameters<typeof anyOutbound>[0] = {}) =>
  anyOutbound({ product: 'sms', sender: 'ACME', content: 'Habari', ...more });

let stub: Stub;
let context: TestContext;
let opened: Connector[];

const open = (settings: object = {}) => {
  const checked = checkSettings(httpSmsKind, { baseUrl: stub.url, timeoutSeconds: 10, ...settings });
  const secrets = { apiKey: 'secret-key', callbackSecret: 'at-the-end' };
  const connector = httpSmsKind.open(checked, secrets, context);
  opened.push(connector);
  return connector;
};
const send = async (connector: Connector, ...messages: ReturnType<typeof sms>[]) =>
  connector.send(messages.length === 0 ? [sms()] : messages, longLease);
const taken: StubAnswer = { status: 202, body: { id: 'P1' } };
const refusal = (code: string, status = 422): StubAnswer => ({
  status,
  body: { code, message: `says ${code}` },
});

beforeEach(async () => {
  stub = await startStub(() => taken);
  context = testContext();
  opened = [];
});
afterEach(async () => {
  for (const connector of opened) await connector.close?.();
  await stub.close();
});

test('with a rate it sends what its share of the account allows, and without a share nothing', async () => {
  const connector = open({ rate: 30 });
  expect(connector.state?.()).toMatchObject({ bound: 0 });
  expect(await send(connector)).toEqual([{ kind: 'later', delaySeconds: 1 }]);
  await connector.use?.({ parts: [0, 1], ratePerSecond: 1, inherited: false, forMs: 60_000 });
  expect(connector.state?.()).toMatchObject({ bound: 2, ratePerSecond: 1 });
  const outcomes = await send(connector, ...Array.from({ length: 9 }, () => sms()));
  expect(outcomes.filter(({ kind }) => kind === 'accepted').length).toBeLessThanOrEqual(3);
  expect(outcomes.filter(({ kind }) => kind === 'later').length).toBeGreaterThanOrEqual(6);
  expect(stub.received.length).toBeGreaterThan(0);
});

describe('a message', () => {
  test('is posted as JSON with our reference and the address for reports', async () => {
    const connector = open({ callbackUrl: 'https://tarishi.example/inbound/sms', idempotencyHeader: 'Once' });
    expect(await send(connector)).toEqual([{ kind: 'accepted', networkId: 'P1' }]);
    expect(stub.received).toMatchObject([
      {
        method: 'POST',
        url: '/messages',
        headers: { authorization: 'Bearer secret-key', once: 'tarishi-17' },
        body: {
          to: '+254711000000',
          from: 'ACME',
          text: 'Habari',
          reference: 'tarishi-17',
          callbackUrl: 'https://tarishi.example/inbound/sms/at-the-end',
        },
      },
    ]);
  });

  test.each<[preset: string, settings: object, message: object, seen: object]>([
    // What the official libraries send is compared in official-clients.slow.test.ts; this is what they do not know.
    [
      'twilio',
      { username: 'AC1', callbackUrl: 'https://tarishi.example/inbound/tw' },
      {},
      { body: { StatusCallback: 'https://tarishi.example/inbound/tw?reference=tarishi-17' } },
    ],
    [
      'infobip',
      { callbackUrl: 'https://tarishi.example/inbound/ib' },
      { registrations: { entityId: '1101', templateId: '1107' }, messageClass: 0 },
      {
        url: '/sms/3/messages',
        body: {
          messages: [
            {
              sender: 'ACME',
              destinations: [{ to: '254711000000', messageId: 'tarishi-17' }],
              content: { text: 'Habari' },
              webhooks: { delivery: { url: 'https://tarishi.example/inbound/ib/at-the-end' } },
              options: {
                flash: true,
                regional: { indiaDlt: { principalEntityId: '1101', contentTemplateId: '1107' } },
              },
            },
          ],
        },
      },
    ],
    [
      'vonage',
      { username: 'key' },
      { content: '日本', messageClass: 0 },
      { body: { text: '日本', type: 'unicode', 'message-class': '0', 'client-ref': 'tarishi-17' } },
    ],
    [
      'kannel',
      { username: 'acme', callbackUrl: 'https://tarishi.example/inbound/k' },
      { sender: null, content: 'Я' },
      {
        method: 'GET',
        url: `/cgi-bin/sendsms?${new URLSearchParams({
          password: 'secret-key',
          username: 'acme',
          charset: 'UTF-8',
          coding: '2',
          'dlr-mask': '31',
          to: '+254711000000',
          text: 'Я',
          'dlr-url': 'https://tarishi.example/inbound/k/at-the-end?reference=tarishi-17&status=%d&reason=%A',
        })}`,
        body: undefined,
      },
    ],
  ])('%s gets it as its preset says', async (preset, settings, message, seen) => {
    await send(open({ preset, ...settings }), sms(message));
    expect(stub.received).toMatchObject([seen]);
  });

  test('goes with a token that lasts, and with a new one once it is refused', async () => {
    let issued = 0;
    let refused = false;
    stub.answer = ({ url, headers }) => {
      if (url === '/oauth/token') {
        issued += 1;
        return { status: 200, body: { access_token: `t${issued}`, expires_in: 600 } };
      }
      if (headers.authorization === 'Bearer t1' && refused) return { status: 401 };
      return { status: 200, body: { result: { requestId: 'R1' } } };
    };
    const connector = open({ preset: 'tarishi', path: '/message/acme-sms', username: 'client' });
    expect(await send(connector, sms(), sms({ id: '18' }))).toMatchObject([
      { kind: 'accepted', networkId: 'R1' },
      { kind: 'accepted' },
    ]);
    expect(stub.received[0]?.headers.authorization).toBe(`Basic ${btoa('client:secret-key')}`);
    expect(stub.received.find(({ url }) => url === '/message/acme-sms')).toMatchObject({
      headers: { 'idempotency-key': 'tarishi-17' },
      body: {
        type: 'SendToMany',
        addresses: ['+254711000000'],
        message: 'Habari',
        receiptRequest: { correlator: 'tarishi-17' },
      },
    });
    refused = true;
    expect(await send(connector)).toEqual([{ kind: 'later', delaySeconds: 1 }]);
    expect(await send(connector)).toMatchObject([{ kind: 'accepted' }]);
    expect(issued).toBe(2);
  });
});

const codes = {
  OK: 'accepted',
  BUSY: 'again',
  FAST: 'throttled',
  BROKE: 'pause',
  NUMBER: 'InvalidMsisdn',
};

describe('a response', () => {
  test.each<[what: string, answer: StubAnswer, outcome: object]>([
    ['with an id is a submission', taken, { kind: 'accepted', networkId: 'P1' }],
    ['with a code that is good is one', { status: 200, body: { code: 'OK' } }, { kind: 'accepted' }],
    [
      'with a code refuses, whatever its status',
      refusal('NUMBER', 200),
      { kind: 'rejected', state: 'InvalidMsisdn', reason: 'says NUMBER', reasonCode: 'NUMBER' },
    ],
    [
      'with an unknown code refuses by its status',
      refusal('OTHER', 400),
      { kind: 'rejected', state: 'Failed', reasonCode: 'OTHER' },
    ],
    [
      '400 refuses',
      { status: 400 },
      {
        kind: 'rejected',
        state: 'Failed',
        reason: 'The provider refused the message',
        reasonCode: 'HTTP 400',
      },
    ],
    ['403 with a code refuses', refusal('OTHER', 403), { kind: 'rejected', state: 'Failed' }],
    ['that asks for another try gets one', refusal('BUSY'), { kind: 'later', delaySeconds: 5 }],
    [
      '429 is tried again when the provider says',
      { status: 429, headers: { 'Retry-After': '9' } },
      { kind: 'later', delaySeconds: 9 },
    ],
    ['that throttles is tried again', refusal('FAST', 400), { kind: 'later', delaySeconds: 2 }],
    [
      '503 is an outage',
      { status: 503, headers: { 'Retry-After': '30' } },
      { kind: 'later', delaySeconds: 30, unanswered: true },
    ],
    ['500 leaves it open', { status: 500 }, { kind: 'later', delaySeconds: 5, unanswered: true }],
    ['408 leaves it open', { status: 408 }, { kind: 'later', unanswered: true }],
    [
      '200 without a word leaves it open',
      { status: 200, body: 'half {' },
      { kind: 'later', unanswered: true },
    ],
    ['that is cut off leaves it open', 'drop', { kind: 'later', unanswered: true }],
  ])('%s', async (_what, answer, outcome) => {
    stub.answer = () => answer;
    const [got] = await send(open({ codes }));
    expect(got).toMatchObject(outcome);
    expect(context.pauses).toEqual([]);
  });

  test.each([
    ['The provider says BROKE: says BROKE', refusal('BROKE', 402)],
    ['The provider answers 401', refusal('OTHER', 401)],
    ['The provider answers 403', { status: 403 }],
    ['The provider answers 302', { status: 302 }],
  ])('%s: the connector pauses, and the message waits', async (reason, answer) => {
    stub.answer = () => answer;
    const outcomes = await send(open({ codes }), sms(), sms({ id: '18' }));
    expect(outcomes).toMatchObject([{ kind: 'later' }, { kind: 'later' }]);
    expect(context.pauses[0]).toBe(reason);
  });

  test('operators see a code that is tried again', async () => {
    stub.answer = () => refusal('BUSY');
    await send(open({ codes }));
    expect(context.trouble.seen()).toMatchObject({ lastError: { reason: 'the provider says BUSY' } });
  });

  test('that asks for another try is heard five times', async () => {
    stub.answer = () => refusal('BUSY');
    const connector = open({ codes });
    const outcomes = [];
    for (let time = 1; time <= 5; time += 1) outcomes.push(...(await send(connector)));
    expect(outcomes).toMatchObject([
      ...[5, 30, 120, 600].map((delaySeconds) => ({ kind: 'later', delaySeconds })),
      { kind: 'rejected', state: 'Failed', reasonCode: 'BUSY' },
    ]);
  });

  test('without which it may have arrived: five submissions, and then it waits for its report', async () => {
    stub.answer = () => ({ status: 500 });
    const connector = open();
    const outcomes = [];
    for (let time = 1; time <= 5; time += 1) outcomes.push(...(await send(connector)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['later', 'later', 'later', 'later', 'accepted']);
    expect(await send(open({ unanswered: 'wait' }))).toEqual([{ kind: 'accepted' }]);
  });

  test('with a throttle or no connection holds back all messages', async () => {
    stub.answer = () => ({ status: 429 });
    const connector = open({ concurrency: 1 });
    const outcomes = await send(connector, sms(), sms({ id: '18' }));
    expect(outcomes).toEqual([2, 2].map((delaySeconds) => ({ kind: 'later', delaySeconds })));
    expect(stub.received).toHaveLength(1);
    await stub.close();
    context.clock.advance(2);
    expect(await send(connector)).toEqual([{ kind: 'later', delaySeconds: 4 }]);
  });

  test('in words has its code before the colon', async () => {
    const kannel = { preset: 'kannel', username: 'acme' };
    stub.answer = () => ({ status: 202, body: '3: Queued for later delivery' });
    expect(await send(open(kannel))).toEqual([{ kind: 'accepted' }]);
    stub.answer = () => ({ status: 403, body: 'Authorization failed for sendsms' });
    expect(await send(open(kannel))).toMatchObject([{ kind: 'later' }]);
    expect(context.pauses).toEqual(['The provider answers 403']);
  });

  test('about several parts has an id for each, and fails with any', async () => {
    const part = (status: string, id: string) => ({ status, 'message-id': id, 'error-text': 'no' });
    const vonage = { preset: 'vonage', username: 'key' };
    stub.answer = () => ({ status: 200, body: { messages: [part('0', 'a'), part('0', 'b')] } });
    expect(await send(open(vonage))).toEqual([{ kind: 'accepted', segments: 2, partIds: ['a', 'b'] }]);
    stub.answer = () => ({ status: 200, body: { messages: [part('0', 'a'), part('33', 'b')] } });
    expect(await send(open(vonage))).toEqual([
      { kind: 'accepted', segments: 2, partIds: ['a'], reports: ['InvalidMsisdn'] },
    ]);
    stub.answer = () => ({ status: 200, body: { messages: [part('15', '')] } });
    expect(await send(open(vonage))).toMatchObject([{ kind: 'rejected', reasonCode: '15' }]);
  });

  test('has the segments that the provider counted', async () => {
    stub.answer = () => ({ status: 201, body: { sid: 'SM1', num_segments: '3' } });
    const callbackUrl = 'https://tarishi.example/inbound/tw';
    expect(await send(open({ preset: 'twilio', username: 'AC1', callbackUrl }))).toEqual([
      { kind: 'accepted', networkId: 'SM1', segments: 3 },
    ]);
  });
});

test.each<[settings: object, sentence: string]>([
  [{}, 'setting "baseUrl" is required'],
  [{ preset: 'africastalking' }, 'setting "username" is required'],
  [
    { preset: 'twilio', username: 'AC1' },
    'setting "callbackUrl" is required: it is part of what Twilio signs',
  ],
  [
    { baseUrl: 'https://x.example', authentication: 'body', encoding: 'query' },
    'setting "authentication" must be query where the encoding is',
  ],
])('%j: %s', (settings, sentence) => {
  expect(() => checkSettings(httpSmsKind, { ...settings })).toThrow(sentence);
});

test('a setting of one’s own goes over that of the preset, one code over that code only', () => {
  const own = { preset: 'africastalking', username: 'acme', codes: { '407': 'again' }, concurrency: '2' };
  expect(checkSettings(httpSmsKind, own as never)).toMatchObject({
    baseUrl: 'https://api.africastalking.com',
    codes: { '405': 'pause', '407': 'again' },
    concurrency: 2,
  });
});
