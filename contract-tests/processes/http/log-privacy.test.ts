/** Nothing that a client entrusts to the service is found in its log. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type SmsService, startSms, templateToMany, toMany } from '../../support/requests/sms.ts';
import { call } from '../../support/service/api.ts';

let sms: SmsService;

beforeAll(async () => {
  sms = await startSms({ LOG_LEVEL: 'trace' });
});
afterAll(() => sms.service.dispose());

const text = 'canary-text-5b1f';
const correlator = 'canary-correlator-77';
const key = 'canary-key-1c2d';
const callbackUrl = 'http://127.0.0.1:9/canary-path-99';
const phone = '+254711987654';

test('numbers, texts, URLs, keys and secrets leave no trace, whatever goes wrong', async () => {
  const { baseUrl, clientSecret, signingSecret } = sms.demo;
  const afterGreeting = sms.service.output().length;
  const receiptRequest = { correlator, callbackUrl };
  const send = (body: unknown, options = {}) =>
    sms.send(body, { headers: { 'idempotency-key': key }, ...options });
  await send(toMany([phone], text, { receiptRequest }));
  await send(toMany([phone, 'canary-phone'], text));
  await send(toMany([phone], text), { serviceId: 'no-such' });
  await send(toMany([phone], text), { token: 'canary-token' });
  await send(`{"message": "${text}"`);
  await send(templateToMany(sms.demo.templates.named, [phone], [{ name: 'note', value: text }]));
  for (const name of ['name', text])
    await call(baseUrl, `/message/${sms.demo.chatAppServiceId}/chatapp`, {
      token: sms.token,
      body: {
        type: 'TemplateSendToMany',
        phoneNumberId: sms.demo.phoneNumberIds[0],
        templateId: 'chat-greeting',
        addresses: [phone],
        params: [{ type: 'BodyNamedParameter', name, value: text }],
        receiptRequest,
      },
    });
  const bundle = { phone, denomination: '1GB', message: text };
  const messaging = { serviceSelection: { type: 'DefaultService' } };
  for (const campaignId of [sms.demo.campaigns.open, 'no-such'])
    await call(baseUrl, `/data/${campaignId}`, {
      token: sms.token,
      body: { type: 'SendToEach', disbursements: [bundle], messaging, receiptRequest },
    });
  await call(baseUrl, '/oauth/token', {
    body: `grant_type=client_credentials&client_id=demo&client_secret=canary-secret`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  // The receipt's first attempt fails: nothing listens there.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  await sms.service.stop();

  const log = sms.service.output().slice(afterGreeting);
  expect(log).toContain('"operation":"sendSms"');
  expect(log).toContain('"operation":"sendChatAppTemplate"');
  expect(log).toContain('"operation":"disburseMobileData"');
  for (const canary of ['canary', phone.slice(1), phone.slice(4), clientSecret, signingSecret, sms.token])
    expect(log).not.toContain(canary);
});
