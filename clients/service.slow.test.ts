/** Each client sends all three products through the service and the sandbox, and verifies the receipts that come back. */
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Prism, startSandbox } from '../contract-tests/support/document/prism.ts';
import { type Receiver, startReceiver } from '../contract-tests/support/service/receiver.ts';
import { type SharedService, sharedService } from '../contract-tests/support/shared/service.ts';
import { publishedSecrets } from '../src/demo/published-secrets.ts';
import { forEvery } from '../src/platform/for-every-testing.ts';
import { type Client, languages, startClient, writtenIn } from './testing/clients.ts';
import { type LosingProxy, startLosingProxy } from './testing/losing-proxy.ts';

let service: SharedService;
let sandbox: Prism;
let receiver: Receiver;
let proxy: LosingProxy;

beforeAll(async () => {
  service = sharedService();
  [sandbox, receiver, proxy] = await Promise.all([
    startSandbox(),
    startReceiver(),
    startLosingProxy(service.demo.baseUrl),
  ]);
});
afterAll(async () => {
  receiver.close();
  proxy.close();
  await sandbox.stop();
});

const phone = '+254711000000';

/** The three sends, with receipts to a path of the receiver. */
function sends(path: string) {
  const { smsServiceId, campaigns, chatAppServiceId, phoneNumberIds } = service.demo;
  const target = { to: phone, correlator: path, callbackUrl: receiver.url(path) };
  const template = 'chat-greeting';
  const params = [{ type: 'BodyNamedParameter', name: 'name', value: 'Asha' }];
  return [
    { call: 'sms.send', args: { service: smsServiceId, text: 'Habari', ...target } },
    { call: 'data.disburse', args: { campaign: campaigns.open, denomination: '100MB', ...target } },
    {
      call: 'chatapp.send',
      args: { service: chatAppServiceId, phoneNumberId: phoneNumberIds[0], template, params, ...target },
    },
  ];
}

describe.each(languages)('%s', (language) => {
  let client: Client;
  beforeAll(() => {
    client = startClient(language);
  });
  afterAll(() => client.stop());

  const targets: [string, () => { client: Record<string, unknown>; signingSecret: string }][] = [
    [
      'the service',
      () => {
        const { baseUrl, clientId, clientSecret, signingSecret } = service.demo;
        return { client: { baseUrl, clientId, clientSecret }, signingSecret };
      },
    ],
    [
      'the sandbox',
      () => {
        const { clientSecret, signingSecret } = publishedSecrets;
        return { client: { baseUrl: sandbox.baseUrl, clientId: 'demo', clientSecret }, signingSecret };
      },
    ],
  ];

  test('all three products are sent, and their receipts verified', () =>
    forEvery(targets, '%s: all three products are sent, and their receipts verified', async (_, target) => {
      const { client: connection, signingSecret } = target();
      const path = `/${randomUUID()}`;
      const ids: string[] = [];
      for (const step of sends(path)) {
        const { value, error } = await client.run({ ...step, client: connection });
        expect(error).toBeUndefined();
        ids.push(value.requestId);
      }
      // Of SMS, of data, and the first of chat-app.
      const posted = await receiver.received(path, 3);
      for (const { text: body, headers } of posted) {
        const { value } = await client.run({ call: 'verifyReceipt', args: { body, headers, signingSecret } });
        expect(value).toEqual(JSON.parse(writtenIn(language, body)));
        expect(value).toMatchObject({ phone, correlator: path });
        expect(ids).toContain(value.requestId);
      }
    }));

  test('an error has its code and its page', () =>
    forEvery(targets, '%s: an error has its code and its page', async (_, target) => {
      const args = { service: service.demo.smsServiceId, to: [phone, 'x12'], text: 'Habari' };
      const { error } = await client.run({ call: 'sms.send', args, client: target().client });
      expect(error).toMatchObject({
        kind: 'TarishiError',
        status: 400,
        code: 'invalid-phones',
        desc: 'Invalid phone numbers: x12',
        requestId: expect.any(String),
        helpUrl: expect.stringContaining('/docs/errors/invalid-phones'),
      });
    }));

  test('responses that are lost after acceptance: one message', async () => {
    const { baseUrl: _, clientId, clientSecret } = service.demo;
    const connection = { baseUrl: proxy.url, clientId, clientSecret };
    for (const { call, args } of sends('')) {
      const correlator = randomUUID();
      proxy.keys.length = 0;
      proxy.lose(2);
      const { value } = await client.run({ call, args: { ...args, correlator }, client: connection });
      expect(proxy.keys).toHaveLength(3);
      expect(new Set(proxy.keys).size).toBe(1);
      const found = await client.run({ call: 'messages.each', args: { correlator }, client: connection });
      expect(found.value.map((one: { requestId: string }) => one.requestId)).toEqual([value.requestId]);
    }
  });

  test('previews, look-ups and the request itself', async () => {
    const { baseUrl, clientId, clientSecret } = service.demo;
    const connection = { baseUrl, clientId, clientSecret };
    const run = async (call: string, args: object = {}) => {
      const { value, error } = await client.run({ call, args: { ...args }, client: connection });
      expect(error).toBeUndefined();
      return value;
    };
    const [sms, data, chatapp] = sends('/unused');
    expect(await run('sms.preview', sms?.args)).toMatchObject({ sendable: true });
    expect(await run('data.preview', data?.args)).toMatchObject({ sendable: true });
    expect(await run('chatapp.preview', chatapp?.args)).toMatchObject({ sendable: true });
    for (const list of ['balances', 'services', 'templates', 'campaigns'])
      expect((await run(`${list}.each`, { limit: 1 })).length).toBeGreaterThan(1);
    const { requestId } = await run('sms.send', sms?.args);
    expect(await run('requests.get', { requestId })).toMatchObject({ requestId, messages: 1 });
    expect(await run('requests.eachMessage', { requestId })).toMatchObject([{ phone }]);
  });
});

describe.each(languages)('%s verifies receipts', (language) => {
  let client: Client;
  beforeAll(() => {
    client = startClient(language);
  });
  afterAll(() => client.stop());

  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  const body = JSON.stringify(
    {
      type: 'SmsDeliveryReceipt',
      requestId: randomUUID(),
      position: 0,
      phone,
      sequence: 1,
      timestamp: '2026-11-21T09:30:00Z',
      deliveryStatus: 'AbsentSubscriber',
      reason: 'Simu haipatikani: Ñandú 😀',
    },
    null,
    2,
  );
  const signed = (text = body, secondsAgo = 0, by = secret) => {
    const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo);
    const key = Buffer.from(by.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`id-1.${timestamp}.${text}`).digest('base64');
    return { 'webhook-id': 'id-1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  };
  const handle = (args: object) =>
    client.run({ call: 'handleReceipt', args: { body, headers: signed(), signingSecret: secret, ...args } });
  const verify = (args: object) =>
    client.run({ call: 'verifyReceipt', args: { body, headers: signed(), signingSecret: secret, ...args } });

  test('its own, once for each request: the webhook-id says which', async () => {
    expect((await verify({})).value).toEqual(JSON.parse(body));
    expect((await handle({})).value).toEqual({ status: 204, seen: [[JSON.parse(body), 'id-1']] });
  });

  test('with either secret, and with either signature, while one replaces the other', async () => {
    expect((await verify({ signingSecret: [other, secret] })).error).toBeUndefined();
    const { 'webhook-signature': signature } = signed(body, 0, other);
    const headers = signed();
    headers['webhook-signature'] = `v1a,x v2,y ${signature} ${headers['webhook-signature']}`;
    expect((await verify({ headers })).error).toBeUndefined();
  });

  test('up to five minutes early or late', async () => {
    for (const seconds of [290, -290])
      expect((await verify({ headers: signed(body, seconds) })).error).toBeUndefined();
  });

  test('all others are rejected', () =>
    forEvery<[string, () => object, string]>(
      [
        ['another secret', () => ({ signingSecret: other }), 'wrong-signature'],
        ['another body', () => ({ body: body.replace('haipatikani', 'ok') }), 'wrong-signature'],
        ['another id', () => ({ headers: { ...signed(), 'webhook-id': 'id-2' } }), 'wrong-signature'],
        [
          'another timestamp',
          () => ({ headers: { ...signed(), 'webhook-timestamp': signed(body, 5)['webhook-timestamp'] } }),
          'wrong-signature',
        ],
        [
          'a malformed signature',
          () => ({ headers: { ...signed(), 'webhook-signature': 'v1,é v1, x' } }),
          'wrong-signature',
        ],
        ['an old one', () => ({ headers: signed(body, 310) }), 'timestamp-out-of-range'],
        ['one from the future', () => ({ headers: signed(body, -310) }), 'timestamp-out-of-range'],
        [
          'no time',
          () => ({ headers: { ...signed(), 'webhook-timestamp': 'soon' } }),
          'timestamp-out-of-range',
        ],
        ['no headers', () => ({ headers: { 'content-type': 'application/json' } }), 'missing-headers'],
        ['no JSON', () => ({ body: 'no', headers: signed('no') }), 'malformed-body'],
      ],
      '%s is rejected',
      async (_, forged, code) => {
        const args = forged();
        expect((await verify(args)).error).toMatchObject({ kind: 'TarishiReceiptError', code });
        expect((await handle(args)).value).toEqual({ status: 400, seen: [] });
      },
    ));

  test('a malformed signing secret is an error of the settings', async () => {
    for (const signingSecret of ['', 'whsec_', 'whsec_%'])
      expect((await verify({ signingSecret })).error?.kind).toBe('argument');
  });
});
