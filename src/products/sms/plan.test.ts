/** The rules of an SMS request, in the order of checks, and the messages they make. */
import { describe, expect, test } from '@jest/globals';
import { common, planOf, requestId, send } from '../../accept/accept-testing.ts';
import * as order from '../../accept/order-testing.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { channels } from '../phone/testing.ts';
import type { SmsTemplate } from '../templates/template.ts';
import type { SendSms, SmsContent } from './command.ts';
import type { SmsFacts } from './facts.ts';
import * as rules from './plan.ts';
import { facts, service, template } from './testing.ts';

const managed = {
  key: 'otp',
  category: 'UTILITY',
  sender: 'VERIFY',
  uses: [{ status: 'Approved' }],
} as const;
const withTemplate = (change: Partial<SmsTemplate>, more: Partial<SmsFacts> = {}): SmsFacts => ({
  ...facts,
  template: { ...template, ...change },
  ...more,
});

const params = (values: Record<string, string>): SmsContent => ({
  params: Object.entries(values).map(([name, value]) => ({ name, value })),
});
const good = params({ name: 'Asha', order: '4711' });
const bad = params({ name: '', other: 'x' });

const commandOf = (
  audience: 'each' | 'many',
  ...recipients: [written: string, content: SmsContent][]
): SendSms => ({
  ...common,
  serviceId: 'service',
  templateId: 'shipped',
  audience,
  recipients: recipients.map(([written, content]) => ({ written, content })),
});
const freeForm = (text: string, ...numbers: string[]): SendSms => ({
  ...commandOf('many', ...numbers.map((written): [string, SmsContent] => [written, { text }])),
  templateId: undefined,
});

test('a request that fails a check and all later ones is rejected by that check', () =>
  order.isKept(rules, { command: commandOf('many', ['0711', good]), facts }, [
    order.key,
    ['7 numbers', order.alsoTo({ written: 'x', content: good }), 'Invalid phone numbers: x'],
    ['7 channels', order.alsoTo({ written: '+999', content: good }), 'No channel for phone numbers: +999'],
    [
      '7 receiptRequest',
      order.withCommand({ receiptRequest: { correlator: '' } }),
      'receiptRequest.correlator must have 1 to 100 characters.',
    ],
    ['8 service unknown', order.withFacts({ service: undefined }), 'Service service not found.'],
    [
      '8 service not active',
      order.withFacts({ service: { ...service, status: 'Inactive' } }),
      'Service service is not active. Current status: Inactive',
    ],
    order.rate,
    ['10 template unknown', order.withFacts({ template: undefined }), 'Message template shipped not found.'],
    [
      '10 template archived',
      () => ({ facts: withTemplate({ status: 'Archived' }) }),
      'Message template shipped is not sendable. Current status: Archived and approval status: APPROVED',
    ],
    [
      '10 template not approved',
      () => ({ facts: withTemplate({ approvalStatus: 'PENDING', managedServiceKey: 'otp' }) }),
      'Message template shipped is not sendable. Current status: Active and approval status: PENDING',
    ],
    [
      '10 managed service unknown',
      () => ({ facts: withTemplate({ managedServiceKey: 'otp' }) }),
      'Managed service descriptor not found for key: otp',
    ],
    [
      '10 category of the managed service',
      () => ({
        facts: withTemplate({ managedServiceKey: 'otp', category: 'MARKETING' }, { managedService: managed }),
      }),
      'Template category MARKETING does not match managed service descriptor category UTILITY',
    ],
    [
      '11 parameters',
      order.withCommand({ recipients: [{ written: '0711', content: bad }] }),
      'Template parameter validation failed',
    ],
    order.balance,
  ]));

describe('parameters', () => {
  const missing = (name: string) => `Missing required parameter '${name}'`;
  testEvery<[string, SendSms, object]>([
    [
      'shared: every fault, in the order of the request, then missing ones',
      commandOf('many', ['0711', bad]),
      {
        errors: [
          "Value for parameter 'name' must be non-empty",
          "Unknown parameter 'other'",
          missing('order'),
        ],
      },
    ],
    [
      'of their own: by the number as written, failing recipients only',
      commandOf(
        'each',
        ['0711', good],
        ['+254722', params({ name: 'Asha' })],
        ['0733', params({ order: '1' })],
      ),
      { '+254722': [missing('order')], '0733': [missing('name')] },
    ],
    [
      'a repeated number has the faults of both entries',
      commandOf('each', ['0711', params({ name: 'Asha' })], ['0711', params({ order: '1' })]),
      { '0711': [missing('order'), missing('name')] },
    ],
  ])('%s', async (_rule, command, result) => {
    await expect(send(rules, { command, facts })).rejects.toHaveProperty('result', result);
  });
});

describe('the plan', () => {
  test('has the category of the template, else the purpose of the service', () => {
    const ofCodes: SmsFacts = { ...facts, service: { ...service, purpose: 'AUTHENTICATION' } };
    expect(planOf(rules, freeForm('4711', '0711'), { ...ofCodes, template: undefined }).category).toBe(
      'AUTHENTICATION',
    );
    expect(planOf(rules, commandOf('each', ['0711', good]), ofCodes).category).toBe('UTILITY');
  });

  test('has the messages in the order of the request: channel, number, resolved text and units', () => {
    const asked = commandOf(
      'each',
      ['0711', params({ name: 'Asha', order: '1' })],
      ['+254733', params({ name: 'Juma', order: '2' })],
    );
    const first = { product: 'sms', position: 0, channel: 'Safaricom', phone: '+254711', held: false };
    const second = { ...first, position: 1, channel: 'Airtel', phone: '+254733' };
    expect(planOf(rules, asked, facts)).toEqual({
      ...{ teamId: 'team', clientId: 'client', operation: 'sendSms', resourceId: 'service' },
      ...{ templateId: 'shipped', sender: 'TARISHI', category: 'UTILITY', validitySeconds: null },
      ...{ receiptRequest: {}, idempotency: undefined },
      messages: [
        { ...first, content: 'Habari Asha, order 1 is on its way.', units: 1, accountId: '7' },
        { ...second, content: 'Habari Juma, order 2 is on its way.', units: 1, accountId: '7' },
      ],
      accepted: {
        requestId,
        units: { Safaricom: 1, Airtel: 1 },
        addresses: { Safaricom: 1, Airtel: 1 },
      },
    });
  });

  test('gives all recipients of a ToMany the same text, and counts every channel', () => {
    const { messages, accepted } = planOf(rules, freeForm('x'.repeat(161), '0711', '0722'), facts);
    expect(messages.map(({ content, units }) => [content.length, units])).toEqual([
      [161, 2],
      [161, 2],
    ]);
    expect(accepted).toMatchObject({
      units: { Safaricom: 4, Airtel: 0 },
      addresses: { Safaricom: 2, Airtel: 0 },
    });
  });

  test('of a team without an account needs units that it does not have', () => {
    const given = { ...facts, accountId: undefined };
    expect(planOf(rules, freeForm('Habari', '0711'), given).messages[0]?.accountId).toBe('0');
  });

  test('sends from the managed service of a template', () => {
    const given = withTemplate({ managedServiceKey: 'otp' }, { managedService: managed });
    expect(planOf(rules, commandOf('many', ['0711', good]), given).sender).toBe('VERIFY');
  });
});

testEvery<[string, 'MARKETING' | 'UTILITY', string, number]>([
  ['Ofa', 'MARKETING', 'Ofa STOP*456*9*5#', 1],
  ['x'.repeat(150), 'MARKETING', `${'x'.repeat(150)} STOP*456*9*5#`, 2],
  ['Ofa STOP*456*9*5# ', 'MARKETING', 'Ofa STOP*456*9*5# ', 1],
  ['Ofa', 'UTILITY', 'Ofa', 1],
])(
  'the words that a network wants at the end of promotional SMS: "%s", %s',
  (text, purpose, content, units) => {
    const named: typeof channels.named = (name) => {
      const found = channels.named(name);
      return found && { ...found, promotionalSuffix: 'STOP*456*9*5#' };
    };
    const given = { channels: { ...channels, named }, service: { ...service, purpose }, template: undefined };
    expect(planOf(rules, freeForm(text, '0711'), { ...facts, ...given }).messages).toMatchObject([
      { content, units },
    ]);
  },
);
