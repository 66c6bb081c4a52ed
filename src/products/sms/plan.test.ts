/** The rules of an SMS request, in the order of checks, and the messages they make. */
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
import { testEvery } from '../../platform/for-every-testing.ts';
import { channels } from '../phone/testing.ts';
import { neverQuiet } from '../quiet-hours/testing.ts';
import type { SmsTemplate } from '../templates/template.ts';
import type { SendSms, SmsContent } from './command.ts';
import type { SmsFacts } from './facts.ts';
import * as rules from './plan.ts';
import type { Grant } from './sender.ts';

const template: SmsTemplate = {
  id: 'shipped',
  content: 'Habari {{name}}, order {{order}} is on its way.',
  category: 'UTILITY',
  status: 'Active',
  approvalStatus: 'APPROVED',
  paramDefinitions: [
    { name: 'name', format: 'Name', required: true, maxLength: 10 },
    { name: 'order', format: 'Numeric', required: true },
  ],
  registrations: {},
};
const grant: Grant = { category: null, uses: [{ status: 'Approved' }] };
const managed = { key: 'otp', category: 'UTILITY', sender: 'VERIFY', uses: grant.uses } as const;
const status = { status: 'Active', purpose: 'MARKETING', quietHours: true } as const;
const service = {
  id: 'service',
  sender: 'TARISHI',
  grant,
  ...status,
  validitySeconds: null,
  registrations: {},
};
const facts: SmsFacts = {
  channels,
  quiet: neverQuiet,
  findSenderRules: () => [],
  service,
  template,
  managedService: undefined,
  accountId: '7',
};
const withTemplate = (change: Partial<SmsTemplate>, more: Partial<SmsFacts> = {}): SmsFacts => ({
  ...facts,
  template: { ...template, ...change },
  ...more,
});

const text = (words: string): SmsContent => ({ text: words });
const params = (values: Record<string, string>): SmsContent => ({
  params: Object.entries(values).map(([name, value]) => ({ name, value })),
});
const good = params({ name: 'Asha', order: '4711' });
const bad = params({ name: '', other: 'x' });

const commandOf = (
  audience: 'each' | 'many',
  recipients: Record<string, SmsContent> | [written: string, content: SmsContent][],
  templateId: string | undefined = 'shipped',
): SendSms => ({
  caller: { teamId: 'team', clientId: 'client', scopes: [] },
  serviceId: 'service',
  templateId,
  audience,
  recipients: (Array.isArray(recipients) ? recipients : Object.entries(recipients)).map(
    ([written, content]) => ({ written, content }),
  ),
  receiptRequest: undefined,
  idempotency: undefined,
});
const freeForm = (audience: 'each' | 'many', recipients: Record<string, SmsContent>): SendSms => ({
  ...commandOf(audience, recipients),
  templateId: undefined,
});
const refusalOf = (command: SendSms, given: SmsFacts = facts) =>
  send(rules, { command, facts: given }).then(
    () => undefined,
    (error: unknown) => error,
  );

type Row = CheckRow<SendSms, SmsFacts>;

const alsoTo =
  (written: string): Row['broken'] =>
  ({ command }) => ({
    command: { ...command, recipients: [...command.recipients, { written, content: good }] },
  });
const withFacts =
  (change: Partial<SmsFacts>): Row['broken'] =>
  ({ facts: given }) => ({ facts: { ...given, ...change } });
const changedTemplate =
  (change: Partial<SmsTemplate>): Row['broken'] =>
  ({ facts: given }) => ({ facts: { ...given, template: { ...template, ...given.template, ...change } } });
const notSendable = (status: string, approvalStatus: string) =>
  `Message template shipped is not sendable. Current status: ${status} and approval status: ${approvalStatus}`;

const checks: Row[] = [
  keyCheck,
  { check: '7 numbers', broken: alsoTo('x'), status: 400, desc: 'Invalid phone numbers: x' },
  { check: '7 channels', broken: alsoTo('+999'), status: 400, desc: 'No channel for phone numbers: +999' },
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
    desc: 'Service service not found.',
  },
  {
    check: '8 service not active',
    broken: withFacts({
      service: { ...service, status: 'Inactive' },
    }),
    status: 400,
    desc: 'Service service is not active. Current status: Inactive',
  },
  rateCheck,
  {
    check: '10 template unknown',
    broken: withFacts({ template: undefined }),
    status: 400,
    desc: 'Message template shipped not found.',
  },
  {
    check: '10 template archived',
    broken: changedTemplate({ status: 'Archived', approvalStatus: 'APPROVED' }),
    status: 400,
    desc: notSendable('Archived', 'APPROVED'),
  },
  {
    check: '10 template not approved yet',
    broken: changedTemplate({ status: 'Active', approvalStatus: 'PENDING' }),
    status: 400,
    desc: notSendable('Active', 'PENDING'),
  },
  {
    check: '10 template rejected',
    broken: changedTemplate({ approvalStatus: 'REJECTED' }),
    status: 400,
    desc: notSendable('Active', 'REJECTED'),
  },
  {
    check: '10 managed service unknown',
    broken: () => ({ facts: withTemplate({ managedServiceKey: 'otp' }) }),
    status: 400,
    desc: 'Managed service descriptor not found for key: otp',
  },
  {
    check: '10 category of the managed service',
    broken: () => ({
      facts: withTemplate({ managedServiceKey: 'otp', category: 'MARKETING' }, { managedService: managed }),
    }),
    status: 400,
    desc: 'Template category MARKETING does not match managed service descriptor category UTILITY',
  },
  {
    check: '11 parameters',
    broken: ({ command }) => ({
      command: { ...command, recipients: [{ written: '0711', content: bad }] },
    }),
    status: 400,
    desc: 'Template parameter validation failed',
  },
  balanceCheck,
];

describe('a request that fails a check and all later ones is rejected by that check', () => {
  const situation = { command: commandOf('many', { '0711': good }), facts };

  test('a request that fails none is accepted', async () => {
    expect(await send(rules, situation)).toMatchObject({ replayed: false });
  });

  testEvery(walk(rules, situation, checks))('check $check', async ({ send, status, desc }) => {
    await expect(send()).rejects.toMatchObject({ status, desc });
  });
});

describe('parameters', () => {
  test('shared: every fault, in the order of the request, then missing ones', async () => {
    expect(await refusalOf(commandOf('many', { '0711': bad }))).toMatchObject({
      result: {
        errors: [
          "Value for parameter 'name' must be non-empty",
          "Unknown parameter 'other'",
          "Missing required parameter 'order'",
        ],
      },
    });
  });

  test('of their own: by the number as written, failing recipients only', async () => {
    const recipients = { '0711': good, '+254722': params({ name: 'Asha' }), '0733': bad };
    expect(await refusalOf(commandOf('each', recipients))).toHaveProperty('result', {
      '+254722': ["Missing required parameter 'order'"],
      '0733': expect.arrayContaining(["Unknown parameter 'other'"]),
    });
  });

  test('a repeated number has the faults of both entries', async () => {
    const twice = commandOf('each', [
      ['0711', params({ name: 'Asha' })],
      ['0711', params({ order: '1' })],
    ]);
    expect(await refusalOf(twice)).toMatchObject({
      result: { '0711': ["Missing required parameter 'order'", "Missing required parameter 'name'"] },
    });
  });

  test('a text that becomes too long', async () => {
    const long = withTemplate({ content: '{{name}}', paramDefinitions: [] });
    const filled = commandOf('many', { '0711': params({ name: 'x'.repeat(961) }) });
    expect(await refusalOf(filled, long)).toMatchObject({
      result: { errors: ['Resolved content cannot be longer than 960 characters'] },
    });
  });
});

describe('the plan', () => {
  test('has the category of the template, else the purpose of the service', () => {
    const ofCodes: SmsFacts = { ...facts, service: { ...service, purpose: 'AUTHENTICATION' } };
    const freeFormText = freeForm('each', { '0711': text('4711') });
    expect(planOf(rules, freeFormText, { ...ofCodes, template: undefined }).category).toBe('AUTHENTICATION');
    expect(planOf(rules, commandOf('each', { '0711': good }), ofCodes).category).toBe('UTILITY');
  });

  test('has the messages in the order of the request: channel, number, resolved text and units', () => {
    const asked = commandOf('each', {
      '0711': params({ name: 'Asha', order: '1' }),
      '+254733': params({ name: 'Juma', order: '2' }),
    });
    expect(planOf(rules, asked, facts)).toEqual({
      teamId: 'team',
      clientId: 'client',
      operation: 'sendSms',
      category: 'UTILITY',
      validitySeconds: null,
      resourceId: 'service',
      templateId: 'shipped',
      sender: 'TARISHI',
      receiptRequest: {},
      messages: [
        {
          product: 'sms',
          position: 0,
          channel: 'Safaricom',
          phone: '+254711',
          content: 'Habari Asha, order 1 is on its way.',
          units: 1,
          accountId: '7',
          held: false,
        },
        expect.objectContaining({
          position: 1,
          channel: 'Airtel',
          content: 'Habari Juma, order 2 is on its way.',
        }),
      ],
      accepted: {
        requestId,
        units: { Safaricom: 1, Airtel: 1 },
        addresses: { Safaricom: 1, Airtel: 1 },
      },
      idempotency: undefined,
    });
  });

  test('gives all recipients of a ToMany the same text, and counts every channel', () => {
    const long = text('x'.repeat(161));
    const { messages, accepted } = planOf(rules, freeForm('many', { '0711': long, '0722': long }), facts);
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
    const asked = freeForm('many', { '0711': text('Habari') });
    expect(planOf(rules, asked, { ...facts, accountId: undefined }).messages[0]?.accountId).toBe('0');
  });

  test('sends from the managed service of a template', () => {
    const given = withTemplate({ managedServiceKey: 'otp' }, { managedService: managed });
    expect(planOf(rules, commandOf('many', { '0711': good }), given).sender).toBe('VERIFY');
  });
});
