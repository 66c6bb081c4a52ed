/** The rules of a chat-app request, in the order of checks; who gets what, and from which account. */
import { describe, expect, test } from '@jest/globals';
import { common, planOf, requestId, send } from '../../accept/accept-testing.ts';
import * as order from '../../accept/order-testing.ts';
import { noAccount } from '../../model/plan.ts';
import type { SendChatAppTemplate } from './command.ts';
import type { ChatAppFacts } from './facts.ts';
import * as rules from './plan.ts';
import { template } from './templates/testing.ts';
import { facts } from './testing.ts';

const none = { params: [] };
const params = (value: string) => ({
  params: [{ type: 'BodyNamedParameter', name: 'name', value }] as const,
});
const commandTo = (audience: 'each' | 'many', ...written: string[]): SendChatAppTemplate => ({
  ...common,
  serviceId: 'chat',
  phoneNumberId: '1065',
  templateId: 'greeting',
  audience,
  recipients: written.map((one) => ({ written: one, content: params(`for ${one}`) })),
});
const plan = (audience: 'each' | 'many', written: string[], more: Partial<ChatAppFacts> = {}) =>
  planOf(rules, commandTo(audience, ...written), { ...facts, ...more });

test('a request that fails a check and all later ones is rejected by that check', () =>
  order.isKept(rules, { command: commandTo('many', '01'), facts }, [
    order.key,
    ['7 numbers', order.alsoTo({ written: 'x', content: none }), 'Invalid phone numbers: x'],
    [
      '7 receiptRequest',
      order.withCommand({ receiptRequest: { correlator: '' } }),
      'receiptRequest.correlator must have 1 to 100 characters.',
    ],
    ['8 service unknown', order.withFacts({ service: undefined }), 'Service chat not found.'],
    [
      '8 service not active',
      order.withFacts({ service: { id: 'chat', status: 'Inactive', quietHours: true } }),
      'Service chat is not active. Current status: Inactive',
    ],
    order.rate,
    ['10 sender number unknown', order.withFacts({ number: undefined }), 'Phone number ID 1065 not found.'],
    ['10 template unknown', order.withFacts({ template: undefined }), 'Message template greeting not found.'],
    [
      '10 template paused',
      order.withFacts({ template: template({ approvalStatus: 'PAUSED' }) }),
      'Message template greeting is not sendable. Current status: Active and approval status: PAUSED',
    ],
    [
      '10 a code to somebody without a number',
      (situation) => ({
        ...order.alsoTo({ written: 'KE.1', content: none })(situation),
        ...order.withFacts<ChatAppFacts>({ template: template({ category: 'AUTHENTICATION' }) })(situation),
      }),
      'One-time codes go to phone numbers only: KE.1',
    ],
    ['11 parameters', order.withFacts({ template: template() }), 'Template parameter validation failed'],
    order.balance,
  ]));

test.each([
  ['each: every entry is a message, with parameters of its own', 'each', ['+2541', '+2542', '+2541'], '02'],
  [
    'many: a number that comes twice is one recipient, and all get the same',
    'many',
    ['+2541', '+2542'],
    '01',
  ],
] as const)('%s', (_rule, audience, phones, second) => {
  const { messages, accepted, sender } = plan(audience, ['01', '02', '01']);
  expect(messages.map(({ phone }) => phone)).toEqual(phones);
  expect(messages.map(({ position }) => position)).toEqual([...phones.keys()]);
  expect(JSON.parse(messages[1]?.content ?? '').body).toMatchObject([{ value: `for ${second}` }]);
  expect(accepted).toEqual({ requestId, units: { UTILITY: phones.length }, addresses: phones.length });
  expect(sender).toBe('+254709000001');
});

describe('units', () => {
  test("one for each message, from the account of the template's category", () => {
    expect(plan('many', ['01']).messages).toMatchObject([
      { product: 'chatapp', channel: '1065', units: 1, accountId: '7', held: false },
    ]);
  });

  test('a team with accounts of other categories only cannot pay', () => {
    const { messages, accepted } = plan('many', ['01'], { accounts: { MARKETING: '8' } });
    expect([messages[0]?.accountId, accepted.units]).toEqual([noAccount, { UTILITY: 1 }]);
  });

  test('a team without any account is not billed', () => {
    const { messages, accepted } = plan('many', ['01'], { accounts: {} });
    expect([messages[0]?.accountId, messages[0]?.units, accepted.units]).toEqual([null, 0, {}]);
  });
});

test('each: the parameters of every entry are checked; keys are as written', async () => {
  const recipients = [
    { written: '01', content: params('x') },
    { written: '01', content: none },
    { written: '+2541', content: params('') },
  ];
  const fault = (error: string) => ({ type: 'ParameterError', parameterType: 'BodyNamedParameter', error });
  const command = { ...commandTo('each'), recipients };
  await expect(send(rules, { command, facts })).rejects.toMatchObject({
    result: {
      '01': [fault("Missing required parameter 'name'")],
      '+2541': [fault("Value for parameter 'name' must be non-empty")],
    },
  });
});
