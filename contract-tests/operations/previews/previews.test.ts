/** The previews of the three sends: what a send would do or refuse, without doing it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectBurstLimited } from '../../support/requests/burst.ts';
import { bundleToEach, bundleToMany, defaultService } from '../../support/requests/disbursement.ts';
import { phones, templateToEach, templateToMany, toEach, toMany } from '../../support/requests/sms.ts';
import { type CallOptions, call, tokenFor } from '../../support/service/api.ts';
import { type DemoClient, startDemoClient } from '../../support/service/demo-client.ts';

let client: DemoClient;
let demo: DemoClient['demo'];

beforeAll(async () => {
  client = await startDemoClient();
  ({ demo } = client);
});
afterAll(() => client?.service.dispose());

type Ask = (body: unknown, options?: CallOptions & { id?: string }) => ReturnType<DemoClient['post']>;

const sms: Ask = (body, { id = demo.smsServiceId, ...options } = {}) =>
  client.post(`/message/${id}/preview`, body, options);
const data: Ask = (body, { id = demo.campaigns.open, ...options } = {}) =>
  client.post(`/data/${id}/preview`, body, options);
const chatApp: Ask = (body, { id = demo.chatAppServiceId, ...options } = {}) =>
  client.post(`/message/${id}/chatapp/preview`, body, options);
const chatAppToMany = (
  params: unknown,
  addresses: unknown = ['0711000000'],
  templateId = 'chat-order-shipped',
) => ({
  type: 'TemplateSendToMany',
  phoneNumberId: demo.phoneNumberIds[0],
  templateId,
  addresses,
  params,
});

const get = async (path: string) =>
  (await call(demo.baseUrl, path, { method: 'GET', token: client.token })).body.items;
const unitsNow = async () => ({
  balances: await get('/balances?limit=100'),
  messages: await get('/messages'),
});

describe('200 SmsPreview', () => {
  test('the text, units, encoding and parts of each recipient, the cost and what is left', async () => {
    const long = `${'a'.repeat(160)}я`;
    const { status, body } = await sms(toMany(['0711000000', '+254711000000', '0733000000'], long));
    const text = { text: long, units: 2, encoding: 'UCS-2', parts: 3, problems: [] };
    expect([status, body]).toEqual([
      200,
      {
        sendable: true,
        problems: [],
        units: { Safaricom: 2, Airtel: 2 },
        addresses: { Safaricom: 1, Airtel: 1 },
        accounts: [{ product: 'Sms', units: 4, balance: 10_000, remaining: 9_996 }],
        recipients: [
          { written: '0711000000', phone: '+254711000000', channel: 'Safaricom', ...text },
          { written: '0733000000', phone: '+254733000000', channel: 'Airtel', ...text },
        ],
      },
    ]);
  });

  test('a template with its parameters filled in', async () => {
    const { body } = await sms(
      templateToMany(demo.templates.positional, ['0711000000'], demo.templateParams.positional),
    );
    expect(body.recipients[0].text).toBe('Your code is 482913. It is valid for 10 minutes.');
  });

  test('problems of single recipients are theirs: the others are shown as they would be sent', async () => {
    const params = demo.templateParams.named;
    const { body } = await sms(
      templateToEach(demo.templates.named, [
        { phone: '12345', params },
        { phone: '0711000000', params },
        { phone: '+255712345678', params },
        { phone: '0733000000', params: params.slice(1) },
      ]),
    );
    expect(body).toMatchObject({
      sendable: false,
      problems: [],
      units: { Safaricom: 1, Airtel: 0 },
      recipients: [
        { problems: [{ code: 'invalid-phones', desc: 'Invalid phone numbers: 12345' }] },
        { text: expect.stringContaining('order 4711'), problems: [] },
        { problems: [{ code: 'no-channel', desc: 'No channel for phone numbers: +255712345678' }] },
        { problems: [{ code: 'invalid-parameters', desc: "Missing required parameter 'name'" }] },
      ],
    });
    const problems = await sms(toMany(['0711000000', '12345']));
    expect(problems.body.sendable).toBe(false);
  });

  test('a balance that does not cover the request is a problem of the request', async () => {
    const token = await tokenFor(demo.baseUrl, demo.broke);
    const { status, body } = await sms(toMany(['0711000000']), { token, id: demo.broke.smsServiceId });
    expect([status, body]).toMatchObject([
      200,
      {
        sendable: false,
        problems: [{ code: 'insufficient-units', desc: 'Insufficient units for 1 unit(s) requested.' }],
        accounts: [{ product: 'Sms', units: 1, balance: 0 }],
      },
    ]);
  });
});

describe('200 MobileDataPreview', () => {
  test('a bundle and an SMS for each recipient, by account', async () => {
    const { status, body } = await data(
      bundleToMany(['0711000000'], '100MB', { messaging: { ...defaultService, message: 'Enjoy.' } }),
    );
    expect([status, body]).toEqual([
      200,
      {
        sendable: true,
        problems: [],
        units: { Safaricom: { '100MB': 1 }, Airtel: {} },
        addresses: { Safaricom: 1, Airtel: 0 },
        accounts: [
          {
            product: 'MobileData',
            channel: 'Safaricom',
            denomination: '100MB',
            units: 1,
            balance: 1_000,
            remaining: 999,
          },
          { product: 'Sms', units: 1, balance: 10_000, remaining: 9_999 },
        ],
        recipients: [
          {
            written: '0711000000',
            phone: '+254711000000',
            channel: 'Safaricom',
            denomination: '100MB',
            units: 1,
            message: { text: 'Enjoy.', units: 1, encoding: 'GSM-7', parts: 1 },
            problems: [],
          },
        ],
      },
    ]);
  });

  test('a repeat within the request, and a denomination that the campaign does not allow', async () => {
    const item = (denomination: string) => ({ phone: '0711000001', denomination });
    const { body } = await data(bundleToEach(['100MB', '1GB', '10GB'].map(item)), {
      id: demo.campaigns.oneTime,
    });
    expect(body.recipients.map(({ problems }: { problems: { code: string }[] }) => problems)).toEqual([
      [],
      [{ code: 'duplicated', desc: 'Another bundle of this campaign is on its way to the recipient.' }],
      [
        {
          code: 'denominations-not-allowed',
          desc: `Campaign ${demo.campaigns.oneTime} does not allow denominations: 10GB`,
        },
      ],
    ]);
  });

  test('a recipient that had its bundle: the send would be accepted, and the bundle not given', async () => {
    const body = bundleToMany(['0711005002']);
    await client.post(`/data/${demo.campaigns.oneTime}`, body);
    const problemsNow = async () => (await data(body, { id: demo.campaigns.oneTime })).body;
    let shown = await problemsNow();
    while (!shown.recipients[0].problems[0]?.desc.startsWith('The recipient already')) {
      await delay(20);
      shown = await problemsNow();
    }
    expect(shown).toMatchObject({
      sendable: true,
      recipients: [
        { problems: [{ code: 'duplicated', desc: 'The recipient already had a bundle of this campaign.' }] },
      ],
    });
  });
});

describe('200 ChatAppPreview', () => {
  test('the template as its recipient would see it', async () => {
    const { template, params } = {
      template: 'chat-order-shipped',
      params: demo.chatAppTemplates.named.params,
    };
    const { status, body } = await chatApp(chatAppToMany(params, ['0711000000'], template));
    expect([status, body]).toEqual([
      200,
      {
        sendable: true,
        problems: [],
        units: { UTILITY: 1 },
        addresses: 1,
        accounts: [{ product: 'ChatApp', category: 'UTILITY', units: 1, balance: 10_000, remaining: 9_999 }],
        recipients: [
          {
            written: '0711000000',
            phone: '+254711000000',
            units: 1,
            header: { format: 'TEXT', text: 'News from Duka' },
            body: 'Habari Asha, order 4711 is on its way.',
            footer: 'Tarishi demo',
            buttons: [{ type: 'URL', text: 'Track it', value: 'https://client.example/track/4711' }],
            problems: [],
          },
        ],
      },
    ]);
  });

  test('faults of one recipient are its problems', async () => {
    const params = demo.chatAppTemplates.named.params.filter(
      (parameter) => !('name' in parameter && parameter.name === 'order'),
    );
    const { body } = await chatApp({
      type: 'TemplateSendToEach',
      phoneNumberId: demo.phoneNumberIds[0],
      templateId: 'chat-order-shipped',
      messages: [{ phone: '0711000000', params }],
    });
    expect(body).toMatchObject({
      sendable: false,
      addresses: 0,
      accounts: [],
      recipients: [
        { problems: [{ code: 'invalid-parameters', desc: "Missing required parameter 'order'" }] },
      ],
    });
  });

  test('a team that is not billed pays from no account', async () => {
    const { foreign } = demo;
    const { body } = await chatApp(
      {
        ...chatAppToMany(
          foreign.chatAppTemplates.named.params,
          ['0711000000'],
          foreign.chatAppTemplates.named.id,
        ),
        phoneNumberId: foreign.phoneNumberIds[0],
      },
      { token: await tokenFor(demo.baseUrl, foreign), id: foreign.chatAppServiceId },
    );
    expect(body).toMatchObject({ sendable: true, units: {}, accounts: [], recipients: [{ units: 0 }] });
  });
});

describe('what is wrong with the whole request gets the error of the send', () => {
  const callback = { receiptRequest: { correlator: 'c', callbackUrl: 'ftp://client.example' } };
  const callbackDesc =
    'receiptRequest.callbackUrl must be an absolute http or https URL of at most 2048 characters without user information.';
  const unknownPhone = '12345';
  const cases: [status: number, desc: string, ask: () => ReturnType<Ask>][] = [
    [400, '/message is required', () => sms({ type: 'SendToMany', addresses: ['0711000000'] })],
    [400, 'No valid recipients found.', () => sms(toMany([]))],
    [400, 'Maximum number of recipients exceeded.', () => sms(toMany(phones(101)))],
    [400, callbackDesc, () => sms(toMany(['0711000000'], 'x', callback))],
    [
      400,
      'Service demo-sms-off is not active. Current status: Inactive',
      () => sms(toMany(['0711000000']), { id: 'demo-sms-off' }),
    ],
    [400, 'Message template no-such not found.', () => sms(templateToMany('no-such', [unknownPhone], []))],
    [
      400,
      'Message template weekend-offer is not sendable. Current status: Active and approval status: PENDING',
      () => sms(templateToMany(demo.templates.pending, ['0711000000'], [])),
    ],
    [
      400,
      'Template parameter validation failed',
      () => sms(templateToMany(demo.templates.named, ['0711000000'], [])),
    ],
    [
      400,
      '/messages/0/message and /messages/0/text differ',
      () => sms(toEach([{ phone: '0711000000', message: 'a', text: 'b' }])),
    ],
    [404, 'Service no-such not found.', () => sms(toMany([unknownPhone]), { id: 'no-such' })],
    [404, 'Resource not found.', () => sms(toMany(['0711000000']), { id: 'a.b' })],
    [400, '/phones is required', () => data({ type: 'SendToMany', denomination: '1GB' })],
    [400, 'No valid recipients found.', () => data(bundleToMany([]))],
    [400, 'Maximum number of recipients exceeded.', () => data(bundleToMany(phones(101)))],
    [400, callbackDesc, () => data(bundleToMany(['0711000000'], '1GB', callback))],
    [
      400,
      'Campaign demo-archived is not active. Current status: Archived',
      () => data(bundleToMany(['0711000000']), { id: demo.campaigns.archived }),
    ],
    [
      400,
      'Campaign demo-expired expired at 2020-01-01T00:00:00.000Z.',
      () => data(bundleToMany(['0711000000']), { id: demo.campaigns.expired }),
    ],
    [
      400,
      'Campaign demo-open does not allow denominations: 10GB',
      () => data(bundleToMany(['0711000000'], '10GB')),
    ],
    [404, 'Campaign no-such not found.', () => data(bundleToMany([unknownPhone]), { id: 'no-such' })],
    [
      404,
      'Service no-such not found.',
      () =>
        data(
          bundleToMany(['0711000000'], '1GB', {
            messaging: { message: 'x', serviceSelection: { type: 'SelfService', serviceId: 'no-such' } },
          }),
        ),
    ],
    [404, 'Resource not found.', () => data(bundleToMany(['0711000000']), { id: 'a.b' })],
    [
      400,
      '/phoneNumberId is required',
      () => chatApp({ type: 'TemplateSendToMany', templateId: 'x', addresses: ['0711000000'], params: [] }),
    ],
    [400, 'No valid recipients found.', () => chatApp(chatAppToMany([], []))],
    [400, 'Maximum number of recipients exceeded.', () => chatApp(chatAppToMany([], phones(11)))],
    [400, callbackDesc, () => chatApp({ ...chatAppToMany([]), ...callback })],
    [
      400,
      'Message template chat-paused is not sendable. Current status: Active and approval status: PAUSED',
      () => chatApp(chatAppToMany([], ['0711000000'], demo.chatAppTemplates.paused.id)),
    ],
    [
      400,
      'Template parameter validation failed',
      () =>
        chatApp(
          chatAppToMany(
            [
              { type: 'BodyNamedParameter', name: 'city', value: 'Nairobi' },
              { type: 'HeaderNamedParameter', name: 'shop', value: 'Duka' },
            ],
            ['0711000000'],
            'chat-greeting',
          ),
        ),
    ],
    [404, 'Service no-such not found.', () => chatApp(chatAppToMany([]), { id: 'no-such' })],
    [404, 'Phone number ID 1 not found.', () => chatApp({ ...chatAppToMany([]), phoneNumberId: '1' })],
    [404, 'Message template no-such not found.', () => chatApp(chatAppToMany([], [unknownPhone], 'no-such'))],
    [404, 'Resource not found.', () => chatApp(chatAppToMany([]), { id: 'a.b' })],
  ];

  test.each(cases)('%i %s', async (status, desc, ask) => {
    const response = await ask();
    expect([response.status, response.body.desc]).toEqual([status, desc]);
  });

  test('403 Permission denied: the scope is that of the send', async () => {
    const token = await tokenFor(demo.baseUrl, demo, 'message.read');
    for (const ask of [sms, data, chatApp])
      expect(await ask({}, { token })).toMatchObject({
        status: 403,
        body: { desc: expect.stringMatching(/^Permission denied: the scope .* is required\.$/) },
      });
    const dataOnly = await tokenFor(demo.baseUrl, demo, 'reward.mobile-data.disburse');
    const withSms = bundleToMany(['0711000000'], '1GB', { messaging: { ...defaultService, message: 'x' } });
    expect((await data(withSms, { token: dataOnly })).status).toBe(403);
  });
});

describe('a preview changes nothing', () => {
  test('no balance, no message, no idempotency key', async () => {
    const before = await unitsNow();
    const headers = { 'idempotency-key': randomUUID() };
    const body = toMany(['0711005009']);
    for (const ask of [
      () => sms(body, { headers }),
      () => data(bundleToMany(['0711005009']), { headers }),
      () => chatApp(chatAppToMany(demo.chatAppTemplates.named.params), { headers }),
    ])
      expect((await ask()).status).toBe(200);
    expect(await unitsNow()).toEqual(before);
    const sent = await client.post(`/message/${demo.smsServiceId}`, toMany(['0711005010']), { headers });
    expect([sent.status, sent.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  test('nothing of the share of a send, and the other way round', async () => {
    await delay(1_000);
    const hundred = toMany(phones(100));
    const previews = Array.from({ length: 4 }, () => sms(hundred));
    const sends = Array.from({ length: 4 }, () => client.post(`/message/${demo.smsServiceId}`, hundred));
    const responses = await Promise.all([...previews, ...sends]);
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});

test.each<[string, () => ReturnType<Ask>, string]>([
  ['previewSms', () => sms(toMany(phones(100))), 'messages'],
  ['previewMobileData', () => data(bundleToMany(phones(100))), 'disbursements'],
])('429 The limit of 400 previewed recipients per second is exceeded. — %s', async (_operation, ask, noun) => {
  await delay(1_000);
  await expectBurstLimited(ask, {
    sent: 12,
    pass: 4,
    sentence: `The limit of 400 previewed ${noun} per second is exceeded.`,
  });
});

test('429 The limit of 400 previewed messages per second is exceeded. — previewChatAppTemplate', async () => {
  await delay(1_000);
  const { params } = demo.chatAppTemplates.named;
  await expectBurstLimited(() => chatApp(chatAppToMany(params, phones(10))), {
    sent: 120,
    pass: 40,
    sentence: 'The limit of 400 previewed messages per second is exceeded.',
  });
});
