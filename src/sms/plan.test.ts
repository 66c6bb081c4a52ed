/** The rules of an SMS request, in the contract's order. */
import { describe, expect, test } from '@jest/globals';
import { Rejection } from '../errors.ts';
import type { Channel, ChannelTable } from '../phone/channels.ts';
import { type RoutedRecipient, routeRecipients } from '../phone/route.ts';
import type { SmsTemplate } from '../templates/template.ts';
import type { SmsContent } from './command.ts';
import type { SmsFacts } from './facts.ts';
import { planMessages, senderOf } from './plan.ts';
import { requireService } from './service.ts';

const channels: ChannelTable = {
  names: ['Safaricom', 'Airtel'],
  find: (e164) => {
    const name = { '+2547': 'Safaricom', '+2541': 'Airtel' }[e164.slice(0, 5)];
    return name === undefined ? undefined : ({ name, prefixes: [], connector: 'simulator' } as Channel);
  },
};
/** Understands numbers with a plus, and a leading zero as Kenyan. */
const parsePhone = (written: string) =>
  /^\+\d+$/.test(written) ? written : /^0\d+$/.test(written) ? `+254${written.slice(1)}` : undefined;

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
};
const facts: SmsFacts = {
  service: { id: 'service', sender: 'TARISHI', status: 'Active' },
  template: undefined,
  managedService: undefined,
  accountId: '7',
};
const managed = { key: 'otp', name: 'Codes', category: 'UTILITY', sender: 'VERIFY' } as const;
const withTemplate = (change: Partial<SmsTemplate> = {}, more: Partial<SmsFacts> = {}): SmsFacts => ({
  ...facts,
  template: { ...template, ...change },
  ...more,
});

const text = (words: string): SmsContent => ({ text: words });
const params = (values: Record<string, string>): SmsContent => ({
  params: Object.entries(values).map(([name, value]) => ({ name, value })),
});
const good = params({ name: 'Asha', order: '4711' });

const route = (audience: 'each' | 'many', phones: string[], content = text('Habari')) =>
  routeRecipients(
    { audience, recipients: phones.map((phone) => ({ phone, content })) },
    parsePhone,
    channels,
  );

function refusalOf(work: () => unknown): Pick<Rejection, 'status' | 'desc' | 'result'> | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const { status, desc, result } = error;
    return { status, desc, result };
  }
}

describe('rule 7, phones', () => {
  test.each<[string, string[], string]>([
    ['not understood', ['0711', 'bad'], 'Invalid phone numbers: bad'],
    ['all of them, in order, as written', ['x', '0711', ' y ', 'z'], 'Invalid phone numbers: x,  y , z'],
    ['once each', ['x', 'y', 'x'], 'Invalid phone numbers: x, y'],
    ['an empty one', ['', 'x', ''], 'Invalid phone numbers: "", x'],
    ['without a channel', ['0711', '+999'], 'No channel for phone numbers: +999'],
    [
      'all of these, in order, as written, once each',
      ['+999', '0911', '0711', '+999'],
      'No channel for phone numbers: +999, 0911',
    ],
    ['those not understood first, alone', ['+999', 'x'], 'Invalid phone numbers: x'],
  ])('%s', (_rule, phones, desc) => {
    for (const audience of ['each', 'many'] as const)
      expect(refusalOf(() => route(audience, phones))).toEqual({ status: 400, desc, result: undefined });
  });

  test('each number goes to its channel, and keeps what the client wrote', () => {
    expect(route('each', ['0711', '+2541'])).toMatchObject([
      { written: '0711', phone: '+254711', channel: 'Safaricom' },
      { written: '+2541', phone: '+2541', channel: 'Airtel' },
    ]);
  });

  test('the same number twice is one recipient of many, however written', () => {
    expect(route('many', ['0711', '+254711', '0722']).map(({ written }) => written)).toEqual([
      '0711',
      '0722',
    ]);
  });

  test('to each, every entry is a message', () => {
    expect(route('each', ['0711', '+254711', '0711'])).toHaveLength(3);
  });
});

describe('rule 8, the service', () => {
  test.each<[string, SmsFacts['service'], number, string]>([
    ['the team has no such service', undefined, 404, 'Service service not found.'],
    [
      'it is switched off',
      { id: 'service', sender: 'TARISHI', status: 'Inactive' },
      400,
      'Service service is not active. Current status: Inactive',
    ],
  ])('%s', (_rule, service, status, desc) => {
    expect(refusalOf(() => requireService('service', service))).toMatchObject({ status, desc });
  });

  test('an active one is answered', () => {
    expect(requireService('service', facts.service)).toBe(facts.service);
  });
});

describe('rules 10 and 11, templates and parameters', () => {
  const plan = (given: SmsFacts, content: SmsContent = good, audience: 'each' | 'many' = 'many') =>
    planMessages({ templateId: 'shipped', audience }, route(audience, ['0711'], content), given);

  // Each breaks its own rule and all that come after it.
  const bad = params({ name: '', other: 'x' });
  test.each<[string, SmsFacts, string]>([
    ['unknown', { ...facts, template: undefined }, 'Message template shipped not found.'],
    [
      'archived',
      withTemplate({ status: 'Archived', managedServiceKey: 'none' }),
      'Message template shipped is not sendable. Current status: Archived and approval status: APPROVED',
    ],
    [
      'not approved yet',
      withTemplate({ approvalStatus: 'PENDING', managedServiceKey: 'none' }),
      'Message template shipped is not sendable. Current status: Active and approval status: PENDING',
    ],
    [
      'rejected',
      withTemplate({ approvalStatus: 'REJECTED' }),
      'Message template shipped is not sendable. Current status: Active and approval status: REJECTED',
    ],
    [
      'managed by nobody',
      withTemplate({ managedServiceKey: 'otp' }),
      'Managed service descriptor not found for key: otp',
    ],
    [
      'of another category than its sender',
      withTemplate({ managedServiceKey: 'otp', category: 'MARKETING' }, { managedService: managed }),
      'Template category MARKETING does not match managed service descriptor category UTILITY',
    ],
    ['filled with wrong parameters', withTemplate(), 'Template parameter validation failed'],
  ])('a template %s', (_rule, given, desc) => {
    expect(refusalOf(() => plan(given, bad))).toMatchObject({ status: 400, desc });
  });

  test('shared parameters: every fault, in the order of the request, then what is missing', () => {
    expect(refusalOf(() => plan(withTemplate(), bad))?.result).toEqual({
      errors: [
        "Value for parameter 'name' must be non-empty",
        "Unknown parameter 'other'",
        "Missing required parameter 'order'",
      ],
    });
  });

  const each = (...recipients: [written: string, content: SmsContent][]): RoutedRecipient<SmsContent>[] =>
    recipients.flatMap(([written, content]) => route('each', [written], content));

  test('parameters of their own: by the number as written, failing recipients only', () => {
    const recipients = each(['0711', good], ['+254722', params({ name: 'Asha' })], ['0733', bad]);
    const refusal = refusalOf(() =>
      planMessages({ templateId: 'shipped', audience: 'each' }, recipients, withTemplate()),
    );
    expect(refusal?.result).toEqual({
      '+254722': ["Missing required parameter 'order'"],
      '0733': expect.arrayContaining(["Unknown parameter 'other'"]),
    });
  });

  test('a number that comes twice has the faults of both', () => {
    const recipients = each(['0711', params({ name: 'Asha' })], ['0711', params({ order: '1' })]);
    const refusal = refusalOf(() =>
      planMessages({ templateId: 'shipped', audience: 'each' }, recipients, withTemplate()),
    );
    expect(refusal?.result).toEqual({
      '0711': ["Missing required parameter 'order'", "Missing required parameter 'name'"],
    });
  });

  test('a text that gets too long', () => {
    const long = withTemplate({ content: '{{name}}', paramDefinitions: [] });
    expect(refusalOf(() => plan(long, params({ name: 'x'.repeat(961) })))?.result).toEqual({
      errors: ['Resolved content cannot be longer than 960 characters'],
    });
  });
});

describe('the messages', () => {
  test('carry channel, number, resolved text and units, in the order of the request', () => {
    const recipients = [
      ...route('each', ['0711'], params({ name: 'Asha', order: '1' })),
      ...route('each', ['+2541'], params({ name: 'Juma', order: '2' })),
    ];
    const messages = planMessages({ templateId: 'shipped', audience: 'each' }, recipients, withTemplate());
    expect(messages).toEqual([
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
    ]);
  });

  test('to many have the first one’s text', () => {
    const recipients = route('many', ['0711', '0722'], text('x'.repeat(161)));
    const messages = planMessages({ templateId: undefined, audience: 'many' }, recipients, facts);
    expect(messages.map(({ content, units }) => [content.length, units])).toEqual([
      [161, 2],
      [161, 2],
    ]);
  });

  test('of a team without an account ask for units that nobody has', () => {
    const [message] = planMessages({ templateId: undefined, audience: 'many' }, route('many', ['0711']), {
      ...facts,
      accountId: undefined,
    });
    expect(message?.accountId).toBe('0');
  });

  test.each<[string, SmsFacts, string]>([
    ['the service', facts, 'TARISHI'],
    ['the managed service of a template', withTemplate({}, { managedService: managed }), 'VERIFY'],
  ])('come from %s', (_rule, given, sender) => {
    expect(senderOf(requireService('service', given.service), given)).toBe(sender);
  });
});
