/** The previews of the three sends: what a send would do, shown without doing it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { claimGrants } from '../../../src/products/data/grants-repository.ts';
import { addTeam, type Team } from '../../support/management/team.ts';
import { bundleToEach, bundleToMany, defaultService } from '../../support/requests/disbursement.ts';
import { type Previews, previewsOf } from '../../support/requests/previews.ts';
import { templateToEach, templateToMany, toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';
import { demoCaller } from '../../support/service/demo-client.ts';
import { type InProcess, startInProcess } from '../../support/service/in-process.ts';

let service: InProcess;
let previews: Previews;
let demo: InProcess['demo'];
/** Has no units, and no chat-app account. */
let other: Team;

beforeAll(async () => {
  service = await startInProcess();
  ({ demo } = service);
  previews = previewsOf(demoCaller(service, await tokenFor(demo.baseUrl, demo)));
  other = await addTeam(service);
});
afterAll(() => service?.dispose());
// Limits begin anew.
beforeEach(() => service.pass(1_000));

const sms: Previews['sms'] = (...asked) => previews.sms(...asked);
const data: Previews['data'] = (...asked) => previews.data(...asked);
const chatApp: Previews['chatApp'] = (...asked) => previews.chatApp(...asked);
const chatAppToMany: Previews['chatAppToMany'] = (...asked) => previews.chatAppToMany(...asked);

const get = async (path: string) =>
  (await call(demo.baseUrl, path, { method: 'GET', token: previews.token })).body.items;
const unitsNow = async () => ({
  balances: await get('/balances?limit=100'),
  messages: await get('/messages'),
});

describe('200 SmsPreview', () => {
  test('200: what a free-form body holds in vain', async () => {
    const body = { ...toMany(['0711000000']), later: 1, '100%': 2 };
    const { status, body: shown, headers } = await previews.sms(body);
    expect([status, shown.ignoredProperties]).toEqual([200, ['/later', '/100%']]);
    expect(headers.get('ignored-properties')).toBe('/later, /100%25');
  });

  test('200: a number of any length is a problem of its recipient', async () => {
    const written = 'x'.repeat(100_000);
    const { status, body: shown } = await previews.sms(toMany(['0711000000', written]));
    expect([status, shown.recipients[1].written, shown.recipients[1].problems[0].code]).toEqual([
      200,
      written,
      'invalid-phones',
    ]);
  });

  test('the text, units, encoding and parts of each recipient, the cost and the remaining balance', async () => {
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
        ignoredProperties: [],
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

  test('problems of single recipients leave the others as they would be sent', async () => {
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
    const token = await tokenFor(demo.baseUrl, other);
    const { status, body } = await sms(toMany(['0711000000']), { token, id: other.smsServiceId });
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

  test('a recipient that already got its bundle: the send would be accepted without giving another', async () => {
    const body = bundleToMany(['0711005002']);
    const sent = await previews.post(`/data/${demo.campaigns.oneTime}`, body);
    const [bundle] = await service.knex('messages').where({ request_id: sent.body.requestId });
    const claiming = { id: bundle.id, phone: bundle.phone, resourceId: demo.campaigns.oneTime };
    await claimGrants(service.knex, [claiming], service.secrets.hashPhone);
    await service.knex('campaign_grants').update({ given_at: service.knex.raw('service_now()') });
    expect((await data(body, { id: demo.campaigns.oneTime })).body).toMatchObject({
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
    const { chatAppTemplate, phoneNumberId, chatAppServiceId } = other;
    const { body } = await chatApp(
      { ...chatAppToMany(chatAppTemplate.params, ['0711000000'], chatAppTemplate.id), phoneNumberId },
      { token: await tokenFor(demo.baseUrl, other), id: chatAppServiceId },
    );
    expect(body).toMatchObject({ sendable: true, units: {}, accounts: [], recipients: [{ units: 0 }] });
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
    const sent = await previews.post(`/message/${demo.smsServiceId}`, toMany(['0711005010']), { headers });
    expect([sent.status, sent.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });
});
