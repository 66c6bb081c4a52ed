/** The Cloud API's webhook: signatures over the bytes, and every status and template event. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { checkSettings } from '../runtime/settings.ts';
import { whatsAppInbound } from './webhook.ts';
import { whatsAppKind } from './whatsapp.ts';

const settings = checkSettings(whatsAppKind, {});
const appSecret = 'app-secret';
const secrets = { appSecret, verifyToken: 'verify-me' };
const sign = (body: Buffer, secret = appSecret) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const verify = (body: Buffer, signature: string | undefined, with_ = secrets) =>
  whatsAppInbound.verify(
    { headers: signature === undefined ? {} : { 'x-hub-signature-256': signature }, body },
    settings,
    with_,
    0,
  );
const read = (document: unknown) => whatsAppInbound.read(Buffer.from(JSON.stringify(document)), settings);

describe('a signature', () => {
  testEvery<[string, string | undefined]>([
    ['missing', undefined],
    ['empty', ''],
    ['of another secret', sign(Buffer.from('{}'), 'other')],
    ['without its name', sign(Buffer.from('{}')).slice('sha256='.length)],
    ['of other bytes that mean the same', sign(Buffer.from('{ }'))],
  ])('%s: forged', (_name, signature) => {
    expect(verify(Buffer.from('{}'), signature)).toBe(false);
  });

  test('nothing is the network’s without an app secret', () => {
    expect(
      whatsAppInbound.verify(
        { headers: { 'x-hub-signature-256': sign(Buffer.from('')) }, body: Buffer.from('') },
        settings,
        {},
        0,
      ),
    ).toBe(false);
  });
});

describe('the challenge', () => {
  const query = (token: string, mode = 'subscribe') =>
    new URLSearchParams({ 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': '1158201444' });
  test('is echoed to callers with the token', () => {
    expect(whatsAppInbound.challenge?.(query('verify-me'), secrets)).toBe('1158201444');
  });
  testEvery([
    ['another token', query('verify-you'), secrets],
    ['another mode', query('verify-me', 'unsubscribe'), secrets],
    ['no token', new URLSearchParams(), secrets],
    ['no configured token', query(''), {}],
  ])('%s: not ours', (_name, asked, known) => {
    expect(whatsAppInbound.challenge?.(asked, known)).toBeUndefined();
  });
});

const status = (more: object = {}) => ({
  id: 'wamid.1',
  status: 'delivered',
  timestamp: '1772366400',
  recipient_id: '254711000000',
  biz_opaque_callback_data: 'tarishi-17',
  ...more,
});
const posted = (...changes: object[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '1', changes }],
});
const statuses = (...list: object[]) => ({
  field: 'messages',
  value: { messaging_product: 'whatsapp', metadata: { phone_number_id: '1' }, statuses: list },
});

describe('a status', () => {
  testEvery([
    ['sent', 'Sent'],
    ['delivered', 'Delivered'],
    ['read', 'Read'],
  ])('%s reports %s', (written, state) => {
    expect(read(posted(statuses(status({ status: written }))))).toMatchObject({
      reports: [
        { state, networkId: 'wamid.1', messageId: '17', occurredAt: new Date('2026-03-01T12:00:00Z') },
      ],
      templates: [],
    });
  });

  testEvery([
    [131049, 'Failed'],
    [131050, 'SubscriberOptedOut'],
  ])('failed with %s reports %s, and why', (code, state) => {
    const errors = [{ code, title: 'Not delivered', error_data: { details: 'to keep it healthy' } }];
    expect(read(posted(statuses(status({ status: 'failed', errors })))).reports).toMatchObject([
      { state, reason: 'Not delivered', reasonCode: String(code) },
    ]);
  });

  test('what it is billed as is kept, and nothing else of it', () => {
    const priced = (pricing: unknown) => read(posted(statuses(status({ pricing })))).reports[0]?.details;
    expect(
      priced({ billable: false, category: 'marketing_lite', pricing_model: 'PMP', type: 'regular' }),
    ).toEqual({
      billable: 'false',
      billedAs: 'marketing_lite',
      pricingModel: 'PMP',
    });
    expect([priced(undefined), priced('free'), priced({ billable: 1 })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('needs no recipient_id, nor our reference for another sender of the account', () => {
    const bare = { id: 'wamid.1', status: 'read' };
    expect(read(posted(statuses(bare))).reports).toEqual([{ state: 'Read', networkId: 'wamid.1' }]);
    const other = status({ biz_opaque_callback_data: 'other-17' });
    expect(read(posted(statuses(other))).reports).toMatchObject([{ networkId: 'wamid.1' }]);
    expect(read(posted(statuses(other))).reports[0]).not.toHaveProperty('messageId');
  });

  test('another field is nothing', () => {
    const { reports, messages } = read(posted({ field: 'account_update', value: {} }));
    expect([reports, messages]).toEqual([[], []]);
  });

  test('bytes that are not JSON: nothing', () => {
    expect(whatsAppInbound.read(Buffer.from([0xff, 0x7b]), settings).reports).toEqual([]);
  });
});

describe('what a person set', () => {
  const set = (...preferences: unknown[]) =>
    posted({
      field: 'user_preferences',
      value: {
        metadata: { display_phone_number: '+254 200 000000', phone_number_id: '1055' },
        user_preferences: preferences,
      },
    });
  const marketing = { wa_id: '254711000000', category: 'marketing_messages', timestamp: 1_772_366_400 };
  const from = { from: '254711000000', to: '254200000000', toId: '1055' };

  test('about marketing messages of a number of ours', () => {
    const both = ['stop', 'resume'].map((value) => ({ ...marketing, value }));
    const occurredAt = new Date('2026-03-01T12:00:00Z');
    expect(read(set(...both)).preferences).toEqual([
      { ...from, marketing: false, occurredAt },
      { ...from, marketing: true, occurredAt },
    ]);
  });

  test('of nobody whose number is said: by the id of the network', () => {
    const nameless = { ...marketing, wa_id: undefined, user_id: 'KE.1', value: 'stop' };
    expect(read(set(nameless)).preferences).toMatchObject([{ userId: 'KE.1', marketing: false }]);
  });
});

describe('nothing is dropped unheard: what cannot be read is passed on as it is', () => {
  const preferences = (...user_preferences: unknown[]) => ({
    field: 'user_preferences',
    value: { user_preferences },
  });
  const category = { message_template_name: 'a', message_template_language: 'en', new_category: 'NEW' };
  testEvery<[string, string, string, unknown]>([
    ['another setting', 'Preference', 'Unknown', posted(preferences({ category: 'calls', value: 'stop' }))],
    [
      'a value of a setting',
      'Preference',
      'Unknown',
      posted(preferences({ category: 'marketing_messages', value: 'less' })),
    ],
    ['no setting', 'Preference', 'Malformed', posted(preferences(null))],
    ['another status', 'Status', 'Unknown', posted(statuses(status({ status: 'seen' })))],
    ['a status of nothing', 'Status', 'Malformed', posted(statuses({ status: 'read' }))],
    ['no status', 'Status', 'Malformed', posted({ field: 'messages', value: { statuses: [7] } })],
    ['no message', 'Message', 'Malformed', posted({ field: 'messages', value: { messages: [[]] } })],
    [
      'another category',
      'Template',
      'Unknown',
      posted({ field: 'template_category_update', value: category }),
    ],
    ['a change', 'Call', 'Malformed', posted({ field: 'messages', value: 'x' })],
    ['an entry', 'Call', 'Malformed', { entry: [null] }],
    ['a call', 'Call', 'Malformed', null],
  ])('%s is %s %s', (_what, kind, reason, document) => {
    expect(read(document).messages).toMatchObject([
      { body: { unreadable: { kind, reason, text: expect.any(String) } } },
    ]);
  });

  test('nor what stands beside it', () => {
    const { messages, reports } = read(
      posted({
        field: 'messages',
        value: { statuses: [null, status()], messages: [null, { from: '1', id: 'a' }] },
      }),
    );
    expect([messages?.length, reports.length]).toEqual([3, 1]);
  });
});

test('whose ids the network shows, wherever it shows both', () => {
  const value = {
    contacts: [{ wa_id: '254711000001', user_id: 'KE.1' }, { user_id: 'KE.9' }],
    messages: [{ from: '254711000002', from_user_id: 'KE.2', id: 'a' }],
    statuses: [status({ recipient_id: '254711000003', recipient_user_id: 'KE.3' })],
  };
  const set = { wa_id: '254711000004', user_id: 'KE.4', category: 'marketing_messages', value: 'stop' };
  const { identities } = read(
    posted({ field: 'messages', value }, { field: 'user_preferences', value: { user_preferences: [set] } }),
  );
  expect(identities?.map(({ names }) => names.join(' ')).sort()).toEqual(
    [1, 2, 3, 4].map((number) => `25471100000${number} KE.${number}`),
  );
});

describe('a template event', () => {
  const event = (name: string, reason = 'NONE') => ({
    field: 'message_template_status_update',
    value: {
      event: name,
      message_template_id: 1,
      message_template_name: 'order_shipped',
      message_template_language: 'en',
      reason,
    },
  });
  testEvery([
    ['APPROVED', 'APPROVED'],
    ['REINSTATED', 'APPROVED'],
    ['PENDING', 'PENDING'],
    ['REJECTED', 'REJECTED'],
    ['PAUSED', 'PAUSED'],
    ['DISABLED', 'DISABLED'],
    ['PENDING_DELETION', 'DISABLED'],
  ])('%s moves the template to %s', (name, approvalStatus) => {
    expect(read(posted(event(name))).templates).toEqual([
      { name: 'order_shipped', language: 'en', approvalStatus },
    ]);
  });
  test('REJECTED says why', () => {
    expect(read(posted(event('REJECTED', 'ABUSIVE_CONTENT'))).templates).toMatchObject([
      { comment: 'ABUSIVE_CONTENT' },
    ]);
  });
  test('has the time of its entry, in whole seconds', () => {
    const entry = { time: 1_772_366_400, changes: [event('PAUSED')] };
    const undated = { time: 'soon', changes: [event('APPROVED')] };
    const [dated, ...others] = read({ entry: [entry, undated] }).templates ?? [];
    expect(dated).toMatchObject({ approvalStatus: 'PAUSED', occurredAt: new Date('2026-03-01T12:00:00Z') });
    expect(others).toEqual([{ name: 'order_shipped', language: 'en', approvalStatus: 'APPROVED' }]);
  });
  test.each([
    [{ previous_category: 'UTILITY', new_category: 'MARKETING' }, 'MARKETING'],
    [{ new_category: 'UTILITY', correct_category: 'MARKETING' }, 'UTILITY'],
  ])('%j changes its category', (categories, category) => {
    const template = { message_template_name: 'order_shipped', message_template_language: 'en' };
    const change = { field: 'template_category_update', value: { ...template, ...categories } };
    expect(read(posted(change)).templates).toEqual([{ name: 'order_shipped', language: 'en', category }]);
  });
  test('FLAGGED only warns', () => {
    expect(read(posted(event('FLAGGED'))).templates).toEqual([]);
  });
});
