/** Templates of a WhatsApp Business Account: read page by page, translated, and why some cannot be used. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { systemClock } from '../../platform/clock.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Stub, startStub } from '../http/provider-testing.ts';
import { checkSettings } from '../runtime/settings.ts';
import { readAccountTemplates } from './account-templates.ts';
import { accountTemplateOf } from './template-definition.ts';
import { whatsAppKind } from './whatsapp.ts';

let stub: Stub;

beforeAll(async () => {
  stub = await startStub(() => ({ status: 500 }));
});
afterAll(() => stub.close());
beforeEach(() => {
  stub.received.length = 0;
});

const read = (settings: object = { businessAccountId: '102290129340398' }) =>
  readAccountTemplates(
    checkSettings(whatsAppKind, { baseUrl: stub.url, ...settings }),
    'secret',
    systemClock,
  );
const body = { type: 'BODY', text: 'Habari {{name}}', example: { body_text_named_params: [] } };
const written = (more: object = {}) => ({
  ...{ name: 'greeting', language: 'sw', status: 'APPROVED', category: 'UTILITY', components: [body] },
  ...more,
});
const contentOf = (components: object[], more: object = {}) =>
  accountTemplateOf(written({ components, ...more }))[0]?.content;
const definitionOf = (...parameters: Parameters<typeof contentOf>) => {
  const content = contentOf(...parameters);
  return content && 'definition' in content ? content.definition : content;
};

test('all pages are read, with the token', async () => {
  const paging = { cursors: { after: 'b+c' }, next: 'https://graph.facebook.com/…' };
  stub.answer = ({ url }) => ({
    status: 200,
    body: url.includes('after=b%2Bc')
      ? { data: [written({ name: 'second' })], paging: { cursors: { after: 'd' } } }
      : { data: [written(), { language: 'en' }], paging },
  });
  const found = await read();
  expect('templates' in found && found.templates.map(({ name }) => name)).toEqual(['greeting', 'second']);
  expect(stub.received.map(({ url }) => url)).toEqual([
    expect.stringMatching(/^\/v23\.0\/102290129340398\/message_templates\?fields=name,[a-z,_]+&limit=25$/),
    expect.stringMatching(/&after=b%2Bc$/),
  ]);
  expect(stub.received[0]?.headers.authorization).toBe('Bearer secret');
});

test('what is in the way is said', async () => {
  expect(await read({})).toEqual({ problem: 'the setting businessAccountId is missing' });
  stub.answer = () => ({ status: 401, body: { error: { code: 190, message: 'Access token has expired' } } });
  expect(await read()).toEqual({ problem: 'WhatsApp responded 401: Access token has expired' });
  stub.answer = () => 'drop';
  expect(await read()).toEqual({ problem: expect.stringMatching(/^the provider did not respond/) });
});

test('a template with all that there may be', () => {
  const card = (text: string) => ({
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['…'] } },
      { type: 'BODY', text },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Buy' }] },
    ],
  });
  const components = [
    { type: 'HEADER', format: 'TEXT', text: 'Duka {{shop}}' },
    body,
    { type: 'FOOTER', text: 'Bye' },
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}', example: ['…'] },
        { type: 'QUICK_REPLY', text: 'Stop' },
        { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+254711000000' },
        { type: 'COPY_CODE', example: ['KARIBU'] },
      ],
    },
    { type: 'limited_time_offer', limited_time_offer: { text: 'Ends soon', has_expiration: true } },
    { type: 'CAROUSEL', cards: [card('Blue {{1}}'), card('Red {{1}}')] },
  ];
  const cardOf = (text: string) => ({
    header: { format: 'IMAGE' },
    body: { text },
    buttons: [{ type: 'QUICK_REPLY', text: 'Buy' }],
  });
  expect(definitionOf(components, { category: 'MARKETING' })).toEqual({
    category: 'MARKETING',
    header: { format: 'TEXT', text: 'Duka {{shop}}' },
    body: { text: 'Habari {{name}}' },
    footer: { text: 'Bye' },
    buttons: [
      { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' },
      { type: 'QUICK_REPLY', text: 'Stop' },
      { type: 'PHONE_NUMBER', text: 'Call' },
      { type: 'COPY_CODE', text: 'Copy code' },
    ],
    limitedTimeOffer: { text: 'Ends soon', hasExpiration: true },
    carousel: { cards: [cardOf('Blue {{1}}'), cardOf('Red {{1}}')] },
  });
});

test('the link of a one-time code is its button', () => {
  const url = 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}';
  const buttons = { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy code', url }] };
  expect(definitionOf([body, buttons], { category: 'AUTHENTICATION' })).toMatchObject({
    buttons: [{ type: 'OTP', text: 'Copy code' }],
  });
});

test.each([
  ['APPROVED', undefined, 'APPROVED', undefined],
  ['REJECTED', 'INVALID_FORMAT', 'REJECTED', 'INVALID_FORMAT'],
  ['PAUSED', 'NONE', 'PAUSED', undefined],
  ['DELETED', 'NONE', 'DISABLED', undefined],
  ['IN_APPEAL', 'NONE', 'PENDING', undefined],
  ['SOMETHING_NEW', 'NONE', 'PENDING', undefined],
])('status %s with the reason %s is %s', (status, rejected_reason, approvalStatus, comment) => {
  const [template] = accountTemplateOf(written({ status, rejected_reason }));
  expect([template?.approvalStatus, template?.comment]).toEqual([approvalStatus, comment]);
});

testEvery<[string, object[], object, string]>([
  ['no body', [{ type: 'FOOTER', text: 'Bye' }], {}, 'it has no body'],
  [
    'a component',
    [body, { type: 'CALL_PERMISSION_REQUEST' }],
    {},
    'component CALL_PERMISSION_REQUEST is not supported',
  ],
  [
    'a button',
    [body, { type: 'BUTTONS', buttons: [{ type: 'FLOW' }] }],
    {},
    'a button of type FLOW is not supported',
  ],
  ['a header', [body, { type: 'HEADER', format: 'GIF' }], {}, 'a header of format GIF is not supported'],
  ['a category', [body], { category: 'TRANSACTIONAL' }, 'category TRANSACTIONAL is not supported'],
])('one that cannot be used says why: %s', (_what, components, more, problem) => {
  expect(contentOf(components, more)).toEqual({ problem });
});
