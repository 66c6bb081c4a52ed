/** The rules of a chat-app request, in the order of checks; who gets what, and from which account. */
import { describe, expect, test } from '@jest/globals';
import {
  balanceCheck,
  type CheckRow,
  keyCheck,
  planOf,
  rateCheck,
  requestId,
  send,
  walk,
} from '../../accept/accept-testing.ts';
import { noAccount } from '../../model/plan.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { neverQuiet } from '../quiet-hours/testing.ts';
import type { SendChatAppTemplate } from './command.ts';
import type { ChatAppFacts } from './facts.ts';
import * as rules from './plan.ts';
import { template } from './templates/testing.ts';

const params = (value: string) => ({
  params: [{ type: 'BodyNamedParameter', name: 'name', value }] as const,
});
const commandTo = (audience: 'each' | 'many', ...written: string[]): SendChatAppTemplate => ({
  caller: { teamId: 'team', clientId: 'client', scopes: [] },
  serviceId: 'chat',
  phoneNumberId: '1065',
  templateId: 'greeting',
  audience,
  recipients: written.map((one) => ({ written: one, content: params(`for ${one}`) })),
  receiptRequest: undefined,
  idempotency: undefined,
});
const facts = (more: Partial<ChatAppFacts> = {}): ChatAppFacts => ({
  service: { id: 'chat', status: 'Active', quietHours: true },
  quiet: neverQuiet,
  number: { id: '1065', phone: '+254709000001' },
  template: template({ body: { text: 'Hello {{name}}' } }),
  accounts: { UTILITY: '7', MARKETING: '8' },
  ...more,
});
const plan = (audience: 'each' | 'many', written: string[], more: Partial<ChatAppFacts> = {}) =>
  planOf(rules, commandTo(audience, ...written), facts(more));
const filledWith = (content: string) => JSON.parse(content).body[0].value;

describe('a request that fails a check and all later ones is rejected by that check', () => {
  type Row = CheckRow<SendChatAppTemplate, ChatAppFacts>;
  const withFacts =
    (change: Partial<ChatAppFacts>): Row['broken'] =>
    ({ facts: given }) => ({ facts: { ...given, ...change } });

  const checks: Row[] = [
    keyCheck,
    {
      check: '7 numbers',
      broken: ({ command }) => ({
        command: {
          ...command,
          recipients: [...command.recipients, { written: 'x', content: { params: [] } }],
        },
      }),
      status: 400,
      desc: 'Invalid phone numbers: x',
    },
    {
      check: '7 receiptRequest',
      broken: ({ command }) => ({ command: { ...command, receiptRequest: { correlator: '' } } }),
      status: 400,
      desc: 'receiptRequest.correlator must have 1 to 100 characters.',
    },
    {
      check: '8 service unknown',
      broken: withFacts({ service: undefined }),
      status: 404,
      desc: 'Service chat not found.',
    },
    {
      check: '8 service not active',
      broken: withFacts({ service: { id: 'chat', status: 'Inactive', quietHours: true } }),
      status: 400,
      desc: 'Service chat is not active. Current status: Inactive',
    },
    rateCheck,
    {
      check: '10 sender number unknown',
      broken: withFacts({ number: undefined }),
      status: 404,
      desc: 'Phone number ID 1065 not found.',
    },
    {
      check: '10 template unknown',
      broken: withFacts({ template: undefined }),
      status: 404,
      desc: 'Message template greeting not found.',
    },
    {
      check: '10 template paused',
      broken: withFacts({ template: template({ approvalStatus: 'PAUSED' }) }),
      status: 400,
      desc: 'Message template greeting is not sendable. Current status: Active and approval status: PAUSED',
    },
    {
      check: '10 a code to somebody without a number',
      broken: ({ command, facts: given }) => ({
        command: {
          ...command,
          recipients: [...command.recipients, { written: 'KE.1', content: { params: [] } }],
        },
        facts: { ...given, template: template({ category: 'AUTHENTICATION' }) },
      }),
      status: 400,
      desc: 'One-time codes go to phone numbers only: KE.1',
    },
    {
      check: '11 parameters',
      broken: withFacts({ template: template() }),
      status: 400,
      desc: 'Template parameter validation failed',
    },
    balanceCheck,
  ];
  const situation = { command: commandTo('many', '01'), facts: facts() };

  test('a request that fails none is accepted', async () => {
    expect(await send(rules, situation)).toMatchObject({ replayed: false });
  });

  testEvery(walk(rules, situation, checks))('check $check', async ({ send, status, desc }) => {
    await expect(send()).rejects.toMatchObject({ status, desc });
  });
});

describe('recipients', () => {
  test.each([
    ['each: every entry is a message', 'each', ['+2541', '+2542', '+2541']],
    ['many: a number that comes twice is one recipient', 'many', ['+2541', '+2542']],
  ] as const)('%s', (_rule, audience, phones) => {
    const { messages, accepted } = plan(audience, ['01', '02', '01']);
    expect(messages.map(({ phone }) => phone)).toEqual(phones);
    expect(messages.map(({ position }) => position)).toEqual([...phones.keys()]);
    expect(accepted).toEqual({ requestId, units: { UTILITY: phones.length }, addresses: phones.length });
  });

  test('each: parameters of their own; many: those of all', () => {
    const texts = (audience: 'each' | 'many') =>
      plan(audience, ['01', '02']).messages.map(({ content }) => filledWith(content));
    expect(texts('each')).toEqual(['for 01', 'for 02']);
    expect(texts('many')).toEqual(['for 01', 'for 01']);
  });

  test('get their messages from the requested number', () => {
    expect(plan('many', ['01']).sender).toBe('+254709000001');
  });
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
  const command: SendChatAppTemplate = {
    ...commandTo('each'),
    recipients: [
      { written: '01', content: params('x') },
      { written: '01', content: { params: [] } },
      { written: '+2541', content: params('') },
    ],
  };
  const fault = (error: string) => ({ type: 'ParameterError', parameterType: 'BodyNamedParameter', error });
  await expect(send(rules, { command, facts: facts() })).rejects.toMatchObject({
    result: {
      '01': [fault("Missing required parameter 'name'")],
      '+2541': [fault("Value for parameter 'name' must be non-empty")],
    },
  });
});
