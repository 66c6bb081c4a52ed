/** Each client sends SMS, bundles and templates through the service, and verifies their receipts. */
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '../contract-tests/support/service/receiver.ts';
import { type SharedService, sharedService } from '../contract-tests/support/shared/service.ts';
import { forEvery } from '../src/platform/for-every-testing.ts';
import { languages, openedClient, writtenIn } from './testing/clients.ts';
import { type LosingProxy, startLosingProxy } from './testing/losing-proxy.ts';

let service: SharedService;
let receiver: Receiver;
let proxy: LosingProxy;

beforeAll(async () => {
  service = sharedService();
  [receiver, proxy] = await Promise.all([startReceiver(), startLosingProxy(service.demo.baseUrl)]);
});
afterAll(() => {
  receiver.close();
  proxy.close();
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
  const client = openedClient(language);

  const connectionTo = (baseUrl: string) => {
    const { clientId, clientSecret } = service.demo;
    return { baseUrl, clientId, clientSecret };
  };

  test('all three products are sent, and their receipts verified', async () => {
    const { baseUrl, signingSecret } = service.demo;
    const path = `/${randomUUID()}`;
    const ids: string[] = [];
    for (const step of sends(path)) {
      const { value, error } = await client.run({ ...step, client: connectionTo(baseUrl) });
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
  });

  test('responses that are lost after acceptance: one message', async () => {
    const connection = connectionTo(proxy.url);
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
});

describe.each(languages)('%s verifies receipts', (language) => {
  const client = openedClient(language);

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
  const call = (name: string) => (args: object) =>
    client.run({ call: name, args: { body, headers: signed(), signingSecret: secret, ...args } });
  const [handle, verify] = [call('handleReceipt'), call('verifyReceipt')];

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
