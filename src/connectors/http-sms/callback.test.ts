/** Calls of an SMS provider: whose they are, and what they report or bring. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { testEvery } from '../../platform/for-every-testing.ts';
import { checkSettings } from '../runtime/settings.ts';
import { httpSmsKind } from './http-sms.ts';
import type { HttpSmsSettings } from './settings.ts';

const inbound = httpSmsKind.inbound as NonNullable<typeof httpSmsKind.inbound>;
const settingsOf = (settings: object = {}) =>
  checkSettings(httpSmsKind, { baseUrl: 'https://provider.example', ...settings }) as HttpSmsSettings;
const nowMs = Date.parse('2026-03-01T12:00:00Z');
const callbackSecret = 'whsec_bXkgc2VjcmV0IGtleSBvZiAyNCBieXRl';
const secrets = { apiKey: 'token', callbackSecret };
const body = Buffer.from('{"id":"P1","status":"done"}');

const json = (document: unknown) => Buffer.from(JSON.stringify(document));
const form = (values: Record<string, string>) => Buffer.from(new URLSearchParams(values).toString());

interface Call {
  headers?: Record<string, string>;
  query?: string;
  key?: string;
  body?: Buffer;
}
const verify = (settings: object, call: Call, given: Record<string, string> = secrets) =>
  inbound.verify({ headers: {}, body, ...call }, settingsOf(settings), given, nowMs);

describe('the secret in the path', () => {
  testEvery<[what: string, call: Call, given: Record<string, string>, own: boolean]>([
    ['proves a call', { key: callbackSecret }, secrets, true],
    ['proves none if it is another', { key: 'other' }, secrets, false],
    ['proves none if it is missing', {}, secrets, false],
    ['proves none if there is no secret', { key: 'undefined' }, { apiKey: 'token' }, false],
  ])('%s', (_what, call, given, own) => {
    expect(verify({}, call, given)).toBe(own);
  });

  test('is asked for before the body is read, and nowhere else', () => {
    const admits = (settings: object, key?: string) =>
      inbound.admits?.({ headers: {}, key }, settingsOf(settings), secrets);
    expect([admits({}, 'other'), admits({}, callbackSecret)]).toEqual([false, true]);
    expect([admits({ proof: 'hmac' }), admits({ proof: 'hmac' }, callbackSecret)]).toEqual([true, false]);
  });
});

describe('a signature of the body', () => {
  const mac = (over = body, secret = callbackSecret) => createHmac('sha256', secret).update(over);
  testEvery([
    ['in hex', mac().digest('hex'), true],
    ['in hex, with its name', `sha256=${mac().digest('hex')}`, true],
    ['in base64', mac().digest('base64'), true],
    ['of another body', mac(Buffer.from('x')).digest('hex'), false],
    ['of another secret', mac(body, 'other').digest('hex'), false],
    ['that is cut short', mac().digest('hex').slice(2), false],
    ['that is empty', '', false],
  ])('%s', (_what, signature, own) => {
    expect(verify({ proof: 'hmac', signatureHeader: 'X-Sign' }, { headers: { 'x-sign': signature } })).toBe(
      own,
    );
  });
  test('without a secret proves nothing', () => {
    const headers = { 'x-signature': mac(body, '').digest('hex') };
    expect(verify({ proof: 'hmac' }, { headers }, { apiKey: 'token' })).toBe(false);
  });
});

testEvery([
  ['as it is', {}, body, nowMs, true],
  ['too old', {}, body, nowMs - 301_000, false],
  ['of another body', {}, Buffer.from('x'), nowMs, false],
  ['of another call', { 'webhook-id': 'other' }, body, nowMs, false],
])('a signature of Standard Webhooks %s', (_what, more, over, atMs, own) => {
  const signature = new Webhook(callbackSecret).sign('call-1', new Date(atMs), over.toString());
  const headers = {
    'webhook-id': 'call-1',
    'webhook-timestamp': String(Math.floor(atMs / 1000)),
    'webhook-signature': `v1,AAAA ${signature}`,
    ...more,
  };
  expect(verify({ proof: 'standardWebhooks' }, { headers })).toBe(own);
});

describe('a signature of Vonage', () => {
  const said = {
    ...{ msisdn: '254711000000', to: '22141', messageId: '0A0000001', type: 'unicode', keyword: '' },
    ...{ text: 'Mkate & maziwa = 100 ñ 日本', timestamp: '1772366400', nonce: 'b2c5f1de' },
  };
  const sha256 = '180a60007492eb756d7505f00bcb0e43dc6a2446cccb9802326b84b50b0d3fe2';
  const isOwn = (call: Call, signatureAlgorithm = 'sha256') =>
    verify({ proof: 'vonage', signatureAlgorithm }, call, {
      apiKey: 'x',
      callbackSecret: 'signature-secret',
    });
  const none = Buffer.alloc(0);

  // Made by Vonage's own library, @vonage/server-sdk 2.11.3.
  testEvery([
    ['md5hash', 'ad1823af13b64fb42cfb70d78e119f40'],
    ['md5', 'e3967c027a87026e3fe32ec903728180'],
    ['sha1', '02d2e7e44b02f67ce4f7dba1c9cebeaa7b51deea'],
    ['sha256', sha256.toUpperCase()],
    [
      'sha512',
      '0f388486c77b95e58036b5bb742a3d7c6fdf1a0ce0570e35536794857db238e15575fcbdef8b795a9b042814610ce1d8e66d56a284d60d796fdf3c0ca68c8694',
    ],
  ])('with %s proves a call in each form, and none with another word', (algorithm, sig) => {
    const ways = (all: Record<string, string>) => [
      isOwn({ body: json(all) }, algorithm),
      isOwn({ body: form(all) }, algorithm),
      isOwn({ body: none, query: form(all).toString() }, algorithm),
    ];
    expect(ways({ ...said, sig })).toEqual([true, true, true]);
    expect(ways({ ...said, sig, to: '22142' })).toEqual([false, false, false]);
  });

  const { to: _to, ...rest } = said;
  testEvery<[what: string, call: Call]>([
    ['is missing', { body: json(said) }],
    ['is empty', { body: json({ ...said, sig: '' }) }],
    ['is cut short', { body: json({ ...said, sig: sha256.slice(2) }) }],
    ['leaves a value of the query out', { body: json({ ...said, sig: sha256 }), query: 'reference=1' }],
    ['counts for one of two values', { body: json({ ...said, sig: sha256 }), query: 'to=22142' }],
    [
      'is over two values that now are one',
      { body: json({ ...rest, 'timestamp=1772366400&to': '22141', sig: sha256 }) },
    ],
    ['is over a list', { body: json([{ ...said, sig: sha256 }]) }],
  ])('that %s proves nothing', (_what, call) => {
    expect(isOwn(call)).toBe(false);
  });
});

/** What a call says: a body, or the query of one that has none. */
const read = (settings: object, said: Buffer | string, query?: string) =>
  typeof said === 'string'
    ? inbound.read(Buffer.alloc(0), settingsOf(settings), said)
    : inbound.read(said, settingsOf(settings), query);
const twilio = { preset: 'twilio', username: 'AC1', callbackUrl: 'https://tarishi.example/inbound/tw' };
const of = (preset: string) => ({ preset, username: 'acme' });
const infobip = { preset: 'infobip', baseUrl: 'https://x.example' };

describe('a report', () => {
  const settings = { statuses: { sent: 'open', done: 'Delivered', lost: 'DeliveryImpossible' } };
  testEvery<[what: string, settings: object, said: Buffer | string, reports: object[], query?: string]>([
    [
      'as JSON',
      settings,
      json({ id: 'P1', reference: 'tarishi-17', status: 'done' }),
      [{ networkId: 'P1', messageId: '17', state: 'Delivered' }],
    ],
    [
      'as a form',
      settings,
      form({ id: 'P1', status: 'lost', code: '7', message: 'no' }),
      [{ networkId: 'P1', state: 'DeliveryImpossible', reason: 'no', reasonCode: '7' }],
    ],
    ['without an end', settings, json({ id: 'P1', status: 'sent' }), []],
    [
      'of Infobip, in a list',
      infobip,
      json({
        results: [
          { messageId: 'tarishi-17', status: { groupName: 'DELIVERED' } },
          { messageId: 'tarishi-18', status: { groupName: 'EXPIRED', description: 'too late' } },
        ],
      }),
      [
        { messageId: '17', state: 'Delivered' },
        { messageId: '18', state: 'AbsentSubscriber', reason: 'too late' },
      ],
    ],
    [
      'of Africa’s Talking',
      of('africastalking'),
      form({ id: 'AT1', status: 'Failed', failureReason: 'UserInBlackList' }),
      [{ networkId: 'AT1', state: 'SubscriberOptedOut', reasonCode: 'UserInBlackList' }],
    ],
    [
      'of Twilio',
      twilio,
      form({ MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30003' }),
      [{ networkId: 'SM1', messageId: '17', state: 'AbsentSubscriber', reasonCode: '30003' }],
      'reference=tarishi-17',
    ],
    [
      'of Vonage',
      of('vonage'),
      json({
        ...{ messageId: 'V1', 'client-ref': 'tarishi-17', status: 'delivered', 'err-code': '0' },
        'message-timestamp': '2026-03-01 12:00:00 +0000',
      }),
      [{ networkId: 'V1', state: 'Delivered', occurredAt: new Date('2026-03-01T12:00:00Z') }],
    ],
    [
      'of Kannel, in the query',
      of('kannel'),
      'reference=tarishi-17&status=16&reason=NACK',
      [{ messageId: '17', state: 'Failed', reason: 'NACK' }],
    ],
    [
      'of Tarishi',
      of('tarishi'),
      json({
        ...{ type: 'SmsDeliveryReceipt', requestId: 'R1', correlator: 'tarishi-17' },
        ...{ deliveryStatus: 'InvalidMsisdn', reason: 'no such number', reasonCode: '11' },
        timestamp: '2026-03-01T12:00:00.000Z',
      }),
      [
        {
          ...{ networkId: 'R1', messageId: '17', state: 'InvalidMsisdn' },
          ...{ reason: 'no such number', reasonCode: '11' },
        },
      ],
    ],
  ])('%s', (_what, given, said, reports, query) => {
    const news = read(given, said, query);
    expect(news.reports).toHaveLength(reports.length);
    expect(news).toMatchObject({ reports, messages: [] });
  });

  testEvery<[what: string, said: Buffer, unreadable: object]>([
    ['with an unknown status', json({ id: 'P1', status: 'maybe' }), { kind: 'Status', reason: 'Unknown' }],
    ['about nothing', json({ status: 'done' }), { kind: 'Status', reason: 'Malformed' }],
    [
      'of somebody else',
      json({ reference: 'other-17', status: 'done' }),
      { kind: 'Status', reason: 'Malformed' },
    ],
    ['that is neither report nor message', json({ hello: 1 }), { kind: 'Call', reason: 'Malformed' }],
    ['that is cut off', Buffer.from('{"id":'), { kind: 'Call', reason: 'Malformed', text: '{"id":' }],
  ])('%s is kept', (_what, said, unreadable) => {
    const { reports, messages } = read(settings, said);
    expect(reports).toEqual([]);
    expect(messages).toMatchObject([{ body: { unreadable } }]);
  });
});

describe('a message of a phone', () => {
  const from = '+254711000000';
  const text = 'Asante';
  testEvery<[what: string, settings: object, said: Buffer | string, message: object]>([
    [
      'of Africa’s Talking',
      of('africastalking'),
      form({ from, to: '22141', text, id: 'M1' }),
      { to: '22141', identity: 'M1' },
    ],
    [
      'of Twilio',
      twilio,
      form({ From: from, To: '+15005550006', Body: text, MessageSid: 'SM2', SmsStatus: 'received' }),
      { to: '+15005550006', identity: 'SM2' },
    ],
    [
      'of Infobip',
      infobip,
      json({ results: [{ from, to: '22141', text, messageId: 'M2' }] }),
      { to: '22141', identity: 'M2' },
    ],
    [
      'of Vonage',
      of('vonage'),
      json({ msisdn: from, to: '22141', text, messageId: 'M3' }),
      { to: '22141', identity: 'M3' },
    ],
    [
      'of Kannel',
      of('kannel'),
      new URLSearchParams({ from, to: '22141', text, id: 'K1' }).toString(),
      { to: '22141', identity: 'K1' },
    ],
    [
      'of Tarishi',
      of('tarishi'),
      json({ type: 'InboundMessage', messageId: 'T1', from, to: '22141', text }),
      { to: '22141', identity: 'T1' },
    ],
    ['without an id', {}, json({ from, to: '22141', text }), { to: '22141', repeatedWithinSeconds: 300 }],
  ])('%s', (_what, settings, said, message) => {
    const expected = { from, body: { content: { kind: 'text', text } }, ...message };
    expect(read(settings, said)).toMatchObject({ reports: [], messages: [expected] });
  });

  test('in parts names its parts', () => {
    const part = { 'concat-ref': '5', 'concat-part': '2', 'concat-total': '3' };
    const { messages } = read(
      of('vonage'),
      form({ msisdn: '254711000000', to: '22141', text: 'ñ', messageId: 'M4', ...part }),
    );
    expect(messages).toMatchObject([
      {
        body: {
          part: { reference: '5', number: 2, total: 3, coding: 'utf16', octets: Buffer.from([0, 0xf1]) },
        },
      },
    ]);
  });
});
