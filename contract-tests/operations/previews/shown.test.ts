/** The previews of the three sends: what a send would do, shown without doing it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { claimGrants } from '../../../src/products/data/grants-repository.ts';
import { addTeam } from '../../support/management/team.ts';
import { bundleToEach, bundleToMany, defaultService } from '../../support/requests/disbursement.ts';
import { toMany } from '../../support/requests/sms.ts';
import { tokenFor } from '../../support/service/api.ts';
import { type DemoCaller, demoCallerIn } from '../../support/service/demo-client.ts';
import type { InProcess } from '../../support/service/in-process.ts';

let client: DemoCaller<InProcess>;
let demo: InProcess['demo'];

beforeAll(async () => {
  client = await demoCallerIn();
  ({ demo } = client);
});
afterAll(() => client?.service.dispose());

const preview = (path: string, body: object, options?: Parameters<DemoCaller['post']>[2]) =>
  client.post(`${path}/preview`, body, options);
const smsPath = () => `/message/${demo.smsServiceId}`;
const dataPath = (campaign: 'open' | 'oneTime' = 'open') => `/data/${demo.campaigns[campaign]}`;
const chatAppPath = () => `/message/${demo.chatAppServiceId}/chatapp`;
const shippedOrder = () => ({
  type: 'TemplateSendToMany',
  phoneNumberId: demo.phoneNumberIds[0],
  templateId: 'chat-order-shipped',
  addresses: ['0711000000'],
  params: demo.chatAppTemplates.named.params,
});

test('200 SmsPreview: text, units, encoding and parts of each recipient, cost, balance, and what the body holds in vain', async () => {
  const long = `${'a'.repeat(160)}я`;
  const body = { ...toMany(['0711000000', '+254711000000', '0733000000'], long), '100%': 2 };
  const answer = await preview(smsPath(), body);
  const text = { text: long, units: 2, encoding: 'UCS-2', parts: 3, problems: [] };
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      sendable: true,
      problems: [],
      units: { Safaricom: 2, Airtel: 2 },
      addresses: { Safaricom: 1, Airtel: 1 },
      ignoredProperties: ['/100%'],
      accounts: [{ product: 'Sms', units: 4, balance: 10_000, remaining: 9_996 }],
      recipients: [
        { written: '0711000000', phone: '+254711000000', channel: 'Safaricom', ...text },
        { written: '0733000000', phone: '+254733000000', channel: 'Airtel', ...text },
      ],
    },
  ]);
  expect(answer.headers.get('ignored-properties')).toBe('/100%25');
});

test('200 SmsPreview: a number of any length is a problem of its recipient', async () => {
  const written = 'x'.repeat(100_000);
  const { body } = await preview(smsPath(), toMany(['0711000000', written]));
  expect(body).toMatchObject({
    sendable: false,
    recipients: [{ problems: [] }, { written, problems: [{ code: 'invalid-phones' }] }],
  });
});

test('200 SmsPreview: what the balance does not cover is a problem of the request', async () => {
  const team = await addTeam(client.service);
  const token = await tokenFor(demo.baseUrl, team);
  const { body } = await preview(`/message/${team.smsServiceId}`, toMany(['0711000000']), { token });
  expect(body).toMatchObject({
    sendable: false,
    problems: [{ code: 'insufficient-units', desc: 'Insufficient units for 1 unit(s) requested.' }],
    accounts: [{ product: 'Sms', units: 1, balance: 0 }],
  });
});

test('200 MobileDataPreview: a bundle and an SMS for each recipient, by account', async () => {
  const messaging = { ...defaultService, message: 'Enjoy.' };
  const { status, body } = await preview(dataPath(), bundleToMany(['0711000000'], '100MB', { messaging }));
  const bundle = { channel: 'Safaricom', denomination: '100MB', units: 1 };
  expect([status, body]).toEqual([
    200,
    {
      sendable: true,
      problems: [],
      units: { Safaricom: { '100MB': 1 }, Airtel: {} },
      addresses: { Safaricom: 1, Airtel: 0 },
      accounts: [
        { product: 'MobileData', ...bundle, balance: 1_000, remaining: 999 },
        { product: 'Sms', units: 1, balance: 10_000, remaining: 9_999 },
      ],
      recipients: [
        {
          written: '0711000000',
          phone: '+254711000000',
          ...bundle,
          message: { text: 'Enjoy.', units: 1, encoding: 'GSM-7', parts: 1 },
          problems: [],
        },
      ],
    },
  ]);
});

test('200 MobileDataPreview: a second bundle, in the request or after it, would be accepted without being given', async () => {
  const problemsOf = async (body: object) => {
    const { body: shown } = await preview(dataPath('oneTime'), body);
    expect(shown.sendable).toBe(true);
    return shown.recipients.map(({ problems }: { problems: object[] }) => problems);
  };
  const item = (denomination: string) => ({ phone: '0711000001', denomination });
  const onItsWay = 'Another bundle of this campaign is on its way to the recipient.';
  expect(await problemsOf(bundleToEach(['100MB', '1GB'].map(item)))).toEqual([
    [],
    [{ code: 'duplicated', desc: onItsWay }],
  ]);

  const { knex, secrets } = client.service;
  const sent = await client.post(dataPath('oneTime'), bundleToMany(['0711005002']));
  const [bundle] = await knex('messages').where({ request_id: sent.body.requestId });
  const claiming = { id: bundle.id, phone: bundle.phone, resourceId: demo.campaigns.oneTime };
  await claimGrants(knex, [claiming], secrets.hashPhone);
  await knex('campaign_grants').update({ given_at: knex.raw('service_now()') });
  expect(await problemsOf(bundleToMany(['0711005002']))).toEqual([
    [{ code: 'duplicated', desc: 'The recipient already had a bundle of this campaign.' }],
  ]);
});

test('200 ChatAppPreview: the template as its recipient would see it', async () => {
  const { status, body } = await preview(chatAppPath(), shippedOrder());
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

test('200 ChatAppPreview: faults of one recipient are its problems', async () => {
  const { addresses: _, params, ...template } = shippedOrder();
  const messages = [
    { phone: '0711000000', params: params.filter((one) => !JSON.stringify(one).includes('order')) },
  ];
  const { body } = await preview(chatAppPath(), { ...template, type: 'TemplateSendToEach', messages });
  expect(body).toMatchObject({
    sendable: false,
    addresses: 0,
    accounts: [],
    recipients: [{ problems: [{ code: 'invalid-parameters', desc: "Missing required parameter 'order'" }] }],
  });
});

test('a preview changes nothing: no balance, no message, no Idempotency-Key', async () => {
  const stored = async () => {
    const answers = [await client.get('/balances?limit=100'), await client.get('/messages')];
    return answers.map(({ body }) => body.items);
  };
  const before = await stored();
  const headers = { 'idempotency-key': randomUUID() };
  for (const [path, body] of [
    [smsPath(), toMany(['0711005009'])],
    [dataPath(), bundleToMany(['0711005009'])],
    [chatAppPath(), shippedOrder()],
  ] as const)
    expect((await preview(path, body, { headers })).status).toBe(200);
  expect(await stored()).toEqual(before);
  const sent = await client.post(smsPath(), toMany(['0711005010']), { headers });
  expect([sent.status, sent.headers.get('idempotent-replayed')]).toEqual([200, null]);
});
