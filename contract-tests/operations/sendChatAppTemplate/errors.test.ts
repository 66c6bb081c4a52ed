/** sendChatAppTemplate: every rejection of the contract but those of parameters, in its order of checks. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { schemaNamed } from '../../../spec/document.ts';
import { forEvery } from '../../../src/platform/for-every-testing.ts';
import { edit } from '../../support/management/caller.ts';
import { addChatAppTemplate, addTeam } from '../../support/management/team.ts';
import { type ChatAppCaller, sharedChatApp } from '../../support/requests/chatapp.ts';
import { phones } from '../../support/requests/sms.ts';
import { call, tokenFor } from '../../support/service/api.ts';

let chat: ChatAppCaller;

const unapproved = ['PENDING', 'REJECTED', 'PAUSED', 'DISABLED'];
const archivedId = 'chat-archived';

beforeAll(async () => {
  chat = await sharedChatApp();
  const { operate } = chat.service;
  await operate('POST /chatapp-services', { id: 'idle', teamId: 'demo' });
  await edit(operate, '/chatapp-services/idle', { status: 'Inactive' });
  for (const status of unapproved)
    await addChatAppTemplate(chat.service, { id: `chat-${status}`, teamId: 'demo' }, status);
  await addChatAppTemplate(chat.service, { id: archivedId, teamId: 'demo' });
  await edit(operate, `/chatapp-templates/${archivedId}`, { status: 'Archived' }, 'status');
});

const phone = '0711000000';
const name = { type: 'BodyNamedParameter', name: 'name', value: 'Asha' };
const many = (addresses: unknown, more: object = {}) => chat.toMany('chat-greeting', [name], addresses, more);
const correlator = 'receiptRequest.correlator must have 1 to 100 characters.';
const callbackUrl =
  'receiptRequest.callbackUrl must be an absolute http or https URL of at most 2048 characters without user information.';
const callbackAddress = 'receiptRequest.callbackUrl must not name a private or reserved IP address.';
const longId = '1'.repeat(255);
const tooMany = 'Maximum number of recipients exceeded.';
const kinds = (schemaNamed('ChatAppParameterType') as { enum: string[] }).enum.join(', ');

async function expectRefusal(body: unknown, desc: string) {
  const answer = await chat.send(body);
  expect([answer.status, answer.body]).toEqual([400, { desc }]);
}

test('401 A bearer token is required.', async () => {
  const answer = await chat.send(many([phone]), { token: undefined });
  expect([answer.status, answer.body]).toEqual([401, { desc: 'A bearer token is required.' }]);
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
});

test('403 Permission denied: the scope message.chatapp.send is required.', async () => {
  const { baseUrl } = chat.demo;
  const token = await tokenFor(baseUrl, chat.demo, 'message.sms.send.oneway');
  const answer = await chat.send(many([phone]), { token });
  expect([answer.status, answer.body]).toEqual([
    403,
    { desc: 'Permission denied: the scope message.chatapp.send is required.' },
  ]);
});

describe('400 of the shape: one fault, one sentence, at its place', () => {
  test('each', () =>
    forEvery<[string, () => unknown, string]>(
      [
        ['no JSON', () => '{', 'The request body is not valid JSON.'],
        ['null', () => null, 'The request body must be an object'],
        ['no type', () => ({ phoneNumberId: '1' }), '/type is required'],
        [
          'a mode of SMS',
          () => ({ ...many([phone]), type: 'SendToMany' }),
          '/type must be one of TemplateSendToMany, TemplateSendToEach',
        ],
        ['no phoneNumberId', () => many([phone], { phoneNumberId: undefined }), '/phoneNumberId is required'],
        ['no templateId', () => many([phone], { templateId: undefined }), '/templateId is required'],
        ['no addresses', () => many(undefined, { addresses: undefined }), '/addresses is required'],
        ['no params', () => many([phone], { params: undefined }), '/params is required'],
        ['no messages', () => chat.toEach('chat-greeting', undefined), '/messages is required'],
        [
          'no params of a message',
          () => chat.toEach('chat-greeting', [{ phone }]),
          '/messages/0/params is required',
        ],
        ['no phone', () => chat.toEach('chat-greeting', [{ params: [] }]), '/messages/0/phone is required'],
        ['an unknown property', () => many([phone], { text: 'x' }), '/text is not allowed'],
        [
          'an unknown property of a message',
          () => chat.toEach('chat-greeting', [{ phone, params: [name], text: 'x' }]),
          '/messages/0/text is not allowed',
        ],
        [
          'an empty phoneNumberId',
          () => many([phone], { phoneNumberId: '' }),
          '/phoneNumberId must not be empty',
        ],
        ['a number as templateId', () => many([phone], { templateId: 7 }), '/templateId must be a string'],
        ['addresses empty', () => many([]), 'No valid recipients found.'],
        ['messages empty', () => chat.toEach('chat-greeting', []), 'No valid messages found.'],
        ['11 addresses', () => many(phones(11)), tooMany],
        [
          '11 messages',
          () =>
            chat.toEach(
              'chat-greeting',
              phones(11).map((one) => ({ phone: one, params: [name] })),
            ),
          tooMany,
        ],
        ['a huge array of no phones', () => many(Array(50_000).fill('x')), tooMany],
        ['an invalid address', () => many([phone, 7]), '/addresses/1 must be a string'],
        [
          'a parameter without a type',
          () => many([phone], { params: [{ value: 'x' }] }),
          '/params/0/type is required',
        ],
        [
          'a parameter of an unknown type',
          () => many([phone], { params: [name, { type: 'FooterParameter', value: 'x' }] }),
          `/params/1/type must be one of ${kinds}`,
        ],
        [
          "a parameter without its variant's field",
          () => many([phone], { params: [{ type: 'BodyNamedParameter', value: 'x' }] }),
          '/params/0/name is required',
        ],
        [
          "a parameter with another variant's field",
          () => many([phone], { params: [{ ...name, position: 1 }] }),
          '/params/0/position is not allowed',
        ],
        [
          'a parameter without a value',
          () => many([phone], { params: [{ type: 'OtpParameter' }] }),
          '/params/0/value is required',
        ],
        [
          'a position that is not an integer',
          () => many([phone], { params: [{ type: 'CopyParameter', position: 1.5, value: 'x' }] }),
          '/params/0/position must be an integer',
        ],
        [
          'a latitude that is not a number',
          () =>
            many([phone], {
              params: [{ type: 'LocationParameter', latitude: '1', longitude: 2, value: 'x' }],
            }),
          '/params/0/latitude must be a number',
        ],
        [
          'a header inside a card',
          () =>
            many([phone], {
              params: [
                {
                  type: 'CarouselCardParameter',
                  cardIndex: 0,
                  value: 'https://client.example/1.jpg',
                  params: [{ type: 'MediaParameter', value: 'x' }],
                },
              ],
            }),
          '/params/0/params/0/type must be one of BodyNamedParameter, BodyPositionalParameter, UrlNamedParameter, ' +
            'UrlPositionalParameter, QuickReplyPayloadParameter, CopyParameter',
        ],
      ],
      '%s',
      async (_rule, body, desc) => {
        await expectRefusal(body(), desc);
      },
    ));
});

test('400 Invalid phone numbers: every offending input as written, in order, once each', async () => {
  const written = ['bad', phone, '+999 000', '', 'bad', '12345'];
  const desc = 'Invalid phone numbers: bad, +999 000, "", 12345';
  await expectRefusal(many(written), desc);
  await expectRefusal(
    chat.toEach(
      'chat-greeting',
      written.map((one) => ({ phone: one, params: [name] })),
    ),
    desc,
  );
});

describe('400 of receiptRequest: both fields are required', () => {
  const url = 'https://client.example/receipts';
  test('each', () =>
    forEvery<[string, object, string]>(
      [
        ['no correlator', { callbackUrl: url }, '/receiptRequest/correlator is required'],
        ['no callbackUrl', { correlator: 'x' }, '/receiptRequest/callbackUrl is required'],
        [
          'another property',
          { correlator: 'x', callbackUrl: url, url },
          '/receiptRequest/url is not allowed',
        ],
        ['an empty correlator', { correlator: '', callbackUrl: url }, correlator],
        ['101 characters', { correlator: 'c'.repeat(101), callbackUrl: url }, correlator],
        ['a relative URL', { correlator: 'x', callbackUrl: '/receipts' }, callbackUrl],
        ['user information', { correlator: 'x', callbackUrl: 'https://a:b@client.example/' }, callbackUrl],
        ['a private address', { correlator: 'x', callbackUrl: 'http://10.0.0.1/' }, callbackAddress],
      ],
      '%s',
      async (_rule, receiptRequest, desc) => {
        await expectRefusal(many([phone], { receiptRequest }), desc);
      },
    ));
});

describe('404', () => {
  test('each', () =>
    forEvery<[string, object, string]>(
      [
        [
          'Phone number ID <id> not found.',
          { phoneNumberId: 'no-such' },
          'Phone number ID no-such not found.',
        ],
        [
          'Message template <id> not found.',
          { templateId: 'no-such' },
          'Message template no-such not found.',
        ],
        ['a templateId of 255 characters', { templateId: longId }, `Message template ${longId} not found.`],
        [
          'a phoneNumberId of 255 characters',
          { phoneNumberId: longId },
          `Phone number ID ${longId} not found.`,
        ],
        ['an SMS template', { templateId: 'order-shipped' }, 'Message template order-shipped not found.'],
      ],
      '%s',
      async (_rule, more, desc) => {
        const answer = await chat.send(many([phone], more));
        expect([answer.status, answer.body]).toEqual([404, { desc }]);
      },
    ));

  test('Service <id> not found.: unknown, and of another product', async () => {
    for (const serviceId of ['no-such', chat.demo.smsServiceId]) {
      const answer = await chat.send(many([phone]), { serviceId });
      expect([answer.status, answer.body]).toEqual([404, { desc: `Service ${serviceId} not found.` }]);
    }
  });

  test("another team's service, number and template read as unknown, byte for byte", async () => {
    const other = await addTeam(chat.service);
    const pairs = [
      [other.chatAppServiceId, (id: string) => chat.send(many([phone]), { serviceId: id })],
      [other.phoneNumberId, (id: string) => chat.send(many([phone], { phoneNumberId: id }))],
      [other.chatAppTemplate.id, (id: string) => chat.send(many([phone], { templateId: id }))],
    ] as const;
    for (const [id, ask] of pairs) {
      const unknown = 'x'.repeat(id.length);
      const [theirs, nobodys] = [await ask(id), await ask(unknown)];
      expect([theirs.status, theirs.text]).toEqual([404, nobodys.text.replace(unknown, id)]);
    }
  });

  test('Resource not found.: a trailing slash, an invalid id', async () => {
    for (const path of ['/message/demo-chatapp/chatapp/', '/message/demo%2Fchatapp/chatapp']) {
      const answer = await call(chat.demo.baseUrl, path, { token: chat.token, body: many([phone]) });
      expect([answer.status, answer.body]).toEqual([404, { desc: 'Resource not found.' }]);
    }
  });
});

test('400 Service <id> is not active. Current status: <status>', async () => {
  const answer = await chat.send(many([phone]), { serviceId: 'idle' });
  expect([answer.status, answer.body]).toEqual([
    400,
    { desc: 'Service idle is not active. Current status: Inactive' },
  ]);
});

test('400 Message template <id> is not sendable. Current status: … and approval status: …', async () => {
  const states = [
    ...unapproved.map((approval) => [`chat-${approval}`, 'Active', approval]),
    [archivedId, 'Archived', 'APPROVED'],
  ];
  for (const [id, status, approval] of states)
    await expectRefusal(
      chat.toMany(id, [name]),
      `Message template ${id} is not sendable. Current status: ${status} and approval status: ${approval}`,
    );
});

describe('the first check that fails decides the response', () => {
  test('each', () =>
    forEvery<[string, () => Promise<{ status: number; body: unknown }>, number, string]>(
      [
        ['recipients before phones', () => chat.send(many(Array(11).fill('bad'))), 400, tooMany],
        [
          'phones before receiptRequest',
          () => chat.send(many(['bad'], { receiptRequest: { correlator: '', callbackUrl: 'x' } })),
          400,
          'Invalid phone numbers: bad',
        ],
        [
          'receiptRequest before the service',
          () =>
            chat.send(many([phone], { receiptRequest: { correlator: '', callbackUrl: 'x' } }), {
              serviceId: 'no-such',
            }),
          400,
          correlator,
        ],
        [
          'the service before the number',
          () => chat.send(many([phone], { phoneNumberId: 'no-such' }), { serviceId: 'idle' }),
          400,
          'Service idle is not active. Current status: Inactive',
        ],
        [
          'the number before the template',
          () => chat.send(many([phone], { phoneNumberId: 'no-such', templateId: 'no-such' })),
          404,
          'Phone number ID no-such not found.',
        ],
        [
          "the template's state before its parameters",
          () => chat.send(chat.toMany('chat-PAUSED', [])),
          400,
          'Message template chat-PAUSED is not sendable. Current status: Active and approval status: PAUSED',
        ],
      ],
      '%s',
      async (_rule, send, status, desc) => {
        const answer = await send();
        expect([answer.status, answer.body]).toEqual([status, { desc }]);
      },
    ));
});
