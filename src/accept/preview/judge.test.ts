/** The preview of each recipient, by the rules of sends. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import * as data from '../../products/data/plan.ts';
import { facts as dataFacts } from '../../products/data/testing.ts';
import type { SendSms, SmsContent } from '../../products/sms/command.ts';
import type { SmsFacts } from '../../products/sms/facts.ts';
import * as sms from '../../products/sms/plan.ts';
import { facts as smsFacts, template } from '../../products/sms/testing.ts';
import { common, testChecks } from '../accept-testing.ts';
import { judge } from './judge.ts';

const facts: SmsFacts = {
  ...smsFacts,
  template: {
    ...{ ...template, content: 'Order {{order}}' },
    paramDefinitions: [{ name: 'order', format: 'Numeric', required: true }],
  },
};
const asked = { facts, nowMs: 0, requestId: 'request' };
const order = (value: string): SmsContent => ({ params: [{ name: 'order', value }] });

function judgeSms(
  audience: 'each' | 'many',
  recipients: readonly (readonly [written: string, content: SmsContent])[],
  change: Partial<SendSms> = {},
  known: Partial<SmsFacts> = {},
) {
  const command: SendSms = {
    ...common,
    serviceId: 'service',
    templateId: 'shipped',
    audience,
    recipients: recipients.map(([written, content]) => ({ written, content })),
    ...change,
  };
  return judge(sms, { ...asked, facts: { ...facts, ...known }, command }, testChecks);
}

const withoutTemplate = (numbers: readonly string[]) =>
  judgeSms(
    'each',
    numbers.map((written) => [written, order('1')]),
    {},
    { template: undefined },
  );

const shown = (judged: ReturnType<typeof judgeSms>) =>
  judged.recipients.map(({ written, messages, problems }) => [
    written,
    messages[0]?.content ?? problems.map(({ desc }) => desc),
  ]);

test('each recipient has its message or its own problems, in the order of the request', () => {
  const judged = judgeSms('each', [
    ['abc', order('1')],
    ['+254711000001', order('2')],
    ['+254711000001', order('x')],
    ['+255711000001', order('4')],
    ['+254733000001', order('5')],
  ]);
  expect(shown(judged)).toEqual([
    ['abc', ['Invalid phone numbers: abc']],
    ['+254711000001', 'Order 2'],
    ['+254711000001', ["Parameter 'order': Value for parameter 'order' must be numeric"]],
    ['+255711000001', ['No channel for phone numbers: +255711000001']],
    ['+254733000001', 'Order 5'],
  ]);
  expect(judged.plan.accepted.units).toEqual({ Safaricom: 1, Airtel: 1 });
});

test('every fault of a recipient is a problem of its own', () => {
  const params = [
    { name: 'other', value: 'x' },
    { name: 'order', value: '' },
  ];
  const [recipient] = judgeSms('each', [['+254711000001', { params }]]).recipients;
  expect(recipient?.problems).toEqual([
    { code: 'invalid-parameters', desc: "Unknown parameter 'other'" },
    { code: 'invalid-parameters', desc: "Value for parameter 'order' must be non-empty" },
  ]);
});

test('the first hundred of many faults are listed', () => {
  const params = Array.from({ length: 200 }, (_, index) => ({ name: `p${index}`, value: 'x' }));
  const [recipient] = judgeSms('each', [['+254711000001', { params }]]).recipients;
  expect(recipient?.problems).toHaveLength(100);
});

test('where a repeated number is one recipient, it is listed once, with or without problems', () => {
  const judged = judgeSms(
    'many',
    ['12', '0711000001', '12', '+254711000001', '0733000001'].map((written) => [written, order('1')]),
  );
  expect(shown(judged)).toEqual([
    ['12', ['Invalid phone numbers: 12']],
    ['0711000001', 'Order 1'],
    ['0733000001', 'Order 1'],
  ]);
});

describe('faults of the whole request are thrown as a send throws them', () => {
  testEvery<[string, () => unknown, string]>([
    ['shared parameters', () => judgeSms('many', [['0711000001', order('x')]]), 'invalid-parameters'],
    ['an unknown template', () => withoutTemplate(['0711000001']), 'template-unknown'],
    [
      'a number, if the request is wrong in another way too',
      () => withoutTemplate(['0711000001', 'x']),
      'invalid-phones',
    ],
    [
      'a number without a channel, if parameters that all share are wrong too',
      () =>
        judgeSms('many', [
          ['0711000001', order('x')],
          ['+255711000001', order('x')],
        ]),
      'no-channel',
    ],
  ])('%s', (_rule, ask, slug) => {
    expect(ask).toThrow(expect.objectContaining({ slug }));
  });
});

test('denominations that a campaign does not allow belong to the recipient if each has its own, or to the request', () => {
  const judgeData = (audience: 'each' | 'many') => {
    const recipients = ['9GB', '1GB'].map((denomination) => ({
      written: '0711000001',
      content: { denomination, message: undefined },
    }));
    const command = { ...common, campaignId: 'campaign', smsServiceId: undefined, audience, recipients };
    return judge(data, { ...asked, facts: dataFacts, command }, testChecks);
  };
  expect(judgeData('each').recipients.map(({ problems }) => problems.map(({ code }) => code))).toEqual([
    ['denominations-not-allowed'],
    [],
  ]);
  expect(() => judgeData('many')).toThrow('Campaign campaign does not allow denominations: 9GB');
});
