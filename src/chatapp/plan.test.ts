/** The rules of a chat-app request: who gets what, from which account, and in which order requests are refused. */
import { describe, expect, test } from '@jest/globals';
import { noAccount } from '../intake/plan.ts';
import type { ChatAppFacts } from './facts.ts';
import { parseRecipients, planMessages, requireNumber } from './plan.ts';
import { template } from './testing.ts';

const parsePhone = (written: string) => (written.startsWith('0') ? `+254${written.slice(1)}` : undefined);
const params = (value: string) => [{ type: 'BodyNamedParameter', name: 'name', value }] as const;
const to = (...written: string[]) => written.map((phone) => ({ phone, params: params(`for ${phone}`) }));

const facts = (more: Partial<ChatAppFacts> = {}): ChatAppFacts => ({
  service: { id: 'chat', status: 'Active' },
  number: { id: '1065', phone: '+254709000001' },
  template: template({ body: { text: 'Hello {{name}}' } }),
  accounts: { UTILITY: '7', MARKETING: '8' },
  ...more,
});
const command = { templateId: 'greeting', phoneNumberId: '1065' } as const;
const plan = (audience: 'each' | 'many', written: string[], more: Partial<ChatAppFacts> = {}) =>
  planMessages({ ...command, audience }, parseRecipients(to(...written), parsePhone), facts(more), 0);
const filledWith = (content: string) => JSON.parse(content).components[0].parameters[0].text;

describe('recipients', () => {
  test('all offending inputs, as written, in order, once each', () => {
    expect(() => parseRecipients(to('x', '01', '', 'y', 'x'), parsePhone)).toThrow(
      'Invalid phone numbers: x, "", y',
    );
  });

  test.each([
    ['each: every entry is a message', 'each', ['+2541', '+2542', '+2541']],
    ['many: a number that comes twice is one recipient', 'many', ['+2541', '+2542']],
  ] as const)('%s', (_rule, audience, phones) => {
    const { messages, units } = plan(audience, ['01', '02', '01']);
    expect(messages.map(({ phone }) => phone)).toEqual(phones);
    expect(messages.map(({ position }) => position)).toEqual([...phones.keys()]);
    expect(units).toEqual({ UTILITY: phones.length });
  });

  test('each: parameters of their own; many: those of all', () => {
    const texts = (audience: 'each' | 'many') =>
      plan(audience, ['01', '02']).messages.map(({ content }) => filledWith(content));
    expect(texts('each')).toEqual(['for 01', 'for 02']);
    expect(texts('many')).toEqual(['for 01', 'for 01']);
  });
});

describe('units', () => {
  test("one a message, from the account of the template's category", () => {
    expect(plan('many', ['01']).messages).toMatchObject([
      { product: 'chatapp', channel: '1065', units: 1, accountId: '7', held: false },
    ]);
  });

  test('a team with accounts of other categories only cannot pay', () => {
    const { messages, units } = plan('many', ['01'], { accounts: { MARKETING: '8' } });
    expect([messages[0]?.accountId, units]).toEqual([noAccount, { UTILITY: 1 }]);
  });

  test('a team without any account is not billed', () => {
    const { messages, units } = plan('many', ['01'], { accounts: {} });
    expect([messages[0]?.accountId, messages[0]?.units, units]).toEqual([null, 0, {}]);
  });
});

describe('refusals', () => {
  test.each<[string, () => unknown, number, string]>([
    [
      'no such number',
      () => requireNumber('1065', facts({ number: undefined })),
      404,
      'Phone number ID 1065 not found.',
    ],
    [
      'no such template',
      () => plan('many', ['01'], { template: undefined }),
      404,
      'Message template greeting not found.',
    ],
    [
      'a paused template, before its parameters',
      () => plan('many', ['01'], { template: template({ approvalStatus: 'PAUSED' }) }),
      400,
      'Message template greeting is not sendable. Current status: Active and approval status: PAUSED',
    ],
    [
      'parameters',
      () => plan('many', ['01'], { template: template() }),
      400,
      'Template parameter validation failed',
    ],
  ])('%s', (_rule, act, status, desc) => {
    expect(act).toThrow(expect.objectContaining({ status, desc }));
  });

  test('each: every entry is checked; keys are as written', () => {
    const recipients = parseRecipients(
      [
        { phone: '01', params: params('x') },
        { phone: '01', params: [] },
        { phone: '0 1', params: params('') },
      ],
      (written) => parsePhone(written.replace(' ', '')),
    );
    const fault = (error: string) => ({ type: 'ParameterError', parameterType: 'BodyNamedParameter', error });
    expect(() => planMessages({ ...command, audience: 'each' }, recipients, facts(), 0)).toThrow(
      expect.objectContaining({
        result: {
          '01': [fault("Missing required parameter 'name'")],
          '0 1': [fault("Value for parameter 'name' must be non-empty")],
        },
      }),
    );
  });
});
