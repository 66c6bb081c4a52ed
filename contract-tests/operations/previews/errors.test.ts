/** The previews of the three sends: errors of whole requests, by status and sentence; and what limits say of themselves. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { edit } from '../../support/management/caller.ts';
import { addChatAppTemplate } from '../../support/management/team.ts';
import { expectBurstLimited } from '../../support/requests/burst.ts';
import { bundleToMany, defaultService } from '../../support/requests/disbursement.ts';
import { type Previews, startPreviews } from '../../support/requests/previews.ts';
import { phones, templateToMany, toEach, toMany } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';

let previews: Previews;
let demo: Previews['demo'];

beforeAll(async () => {
  previews = await startPreviews();
  ({ demo } = previews);
  const { operate } = previews.service;
  await operate('POST /sms-services', { id: 'idle', teamId: 'demo', sender: 'TARISHI' });
  await edit(operate, '/sms-services/idle', { status: 'Inactive' });
  await addChatAppTemplate(previews.service, { id: 'chat-paused', teamId: 'demo' }, 'PAUSED');
});
afterAll(() => previews?.service.dispose());

const sms: Previews['sms'] = (...asked) => previews.sms(...asked);
const data: Previews['data'] = (...asked) => previews.data(...asked);
const chatApp: Previews['chatApp'] = (...asked) => previews.chatApp(...asked);
const chatAppToMany: Previews['chatAppToMany'] = (...asked) => previews.chatAppToMany(...asked);

describe('faults of the whole request get the same errors as a send', () => {
  const callback = { receiptRequest: { correlator: 'c', callbackUrl: 'ftp://client.example' } };
  const callbackDesc =
    'receiptRequest.callbackUrl must be an absolute http or https URL of at most 2048 characters without user information.';
  const numbers = (desc: string, phone: string) => `${desc} for phone numbers: ${phone}`;
  const wrongTwice: [status: number, desc: string, ask: () => ReturnType<Previews['sms']>][] = [
    [400, 'Invalid phone numbers: 12345', () => sms(templateToMany('no-such', ['12345'], []))],
    [400, 'Invalid phone numbers: 12345', () => sms(toMany(['12345']), { id: 'no-such' })],
    [
      400,
      numbers('No channel', '+255711000001'),
      () => sms(templateToMany(demo.templates.named, ['0711000000', '+255711000001'], [])),
    ],
    [
      400,
      numbers('No channel', '+255711000001'),
      () => data(bundleToMany(['0711000000', '+255711000001'], '10GB')),
    ],
    [400, 'Invalid phone numbers: 12345', () => data(bundleToMany(['12345']), { id: 'no-such' })],
    [400, 'Invalid phone numbers: 12345', () => chatApp(chatAppToMany([], ['12345'], 'no-such'))],
  ];
  const cases: [status: number, desc: string, ask: () => ReturnType<Previews['sms']>][] = [
    ...wrongTwice,
    [400, '/message is required', () => sms({ type: 'SendToMany', addresses: ['0711000000'] })],
    [400, 'No valid recipients found.', () => sms(toMany([]))],
    [400, 'Maximum number of recipients exceeded.', () => sms(toMany(phones(101)))],
    [400, callbackDesc, () => sms(toMany(['0711000000'], 'x', callback))],
    [
      400,
      'Service idle is not active. Current status: Inactive',
      () => sms(toMany(['0711000000']), { id: 'idle' }),
    ],
    [400, 'Message template no-such not found.', () => sms(templateToMany('no-such', ['0711000000'], []))],
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
    [404, 'Service no-such not found.', () => sms(toMany(['0711000000']), { id: 'no-such' })],
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
    [404, 'Campaign no-such not found.', () => data(bundleToMany(['0711000000']), { id: 'no-such' })],
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
      () => chatApp(chatAppToMany([], ['0711000000'], 'chat-paused')),
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
    [404, 'Message template no-such not found.', () => chatApp(chatAppToMany([], ['0711000000'], 'no-such'))],
    [404, 'Resource not found.', () => chatApp(chatAppToMany([]), { id: 'a.b' })],
  ];

  test.each(cases)('%i %s', async (status, desc, ask) => {
    const response = await ask();
    expect([response.status, response.body.desc]).toEqual([status, desc]);
  });

  test('403 Permission denied: the scope is the one for sending', async () => {
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

test.each<[string, () => ReturnType<Previews['sms']>, string]>([
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

describe('RateLimit and RateLimit-Policy', () => {
  const policyOf = (response: { headers: Headers }) => response.headers.get('ratelimit-policy');
  const left = (response: { headers: Headers }) =>
    Number(/^"team";r=(\d+);t=1$/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
  const send = (count: number) => previews.post(`/message/${demo.smsServiceId}`, toMany(phones(count)), {});

  test('count recipients down on accepted sends, and agree with Retry-After on rejected ones', async () => {
    await delay(1_000);
    const responses = [await send(100), await send(50)];
    expect(responses.map(policyOf)).toEqual(Array(2).fill('"team";q=400;w=1'));
    // Fewer are left, unless a slow machine responds after what it counted has left the window.
    expect([300, 400]).toContain(left(responses[0] as (typeof responses)[number]));
    expect([250, 350, 400]).toContain(left(responses[1] as (typeof responses)[number]));

    const burst = await Promise.all(Array.from({ length: 12 }, () => send(100)));
    const refused = burst.filter(({ status }) => status === 429);
    for (const response of refused) {
      expect(policyOf(response)).toBe('"team";q=400;w=1');
      expect(left(response)).toBeLessThanOrEqual(400);
      expect(response.headers.get('retry-after')).toBe('1');
      expect(response.headers.get('ratelimit')).toMatch(/;t=1$/);
    }
  });

  test('are on errors after authentication, and on no others', async () => {
    await delay(1_000);
    const unknown = await sms(toMany(['0711000000']), { id: 'no-such' });
    const shapeless = await sms({});
    for (const response of [unknown, shapeless]) expect(policyOf(response)).toBe('"team";q=400;w=1');
    // A preview counts whatever happens to it; what breaks the schema is not counted.
    for (const response of [unknown, shapeless]) expect([399, 400]).toContain(left(response));
    const refused = await sms({}, { token: undefined });
    expect([refused.status, policyOf(refused)]).toEqual([401, null]);
  });

  test('count requests where requests are limited', async () => {
    const response = await call(demo.baseUrl, '/services', { method: 'GET', token: previews.token });
    expect(policyOf(response)).toBe('"team";q=100;w=1');
    expect([99, 100]).toContain(left(response));
    expect(policyOf(await previews.post('/receipts/test', { url: 'ftp://client.example' }))).toBe(
      '"team";q=5;w=1',
    );
  });
});
