/** The rules of SMS in reserve: who gets them, when, from which account, and what is refused. */
import { describe, expect, test } from '@jest/globals';
import { planOf, send } from '../../accept/accept-testing.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { channels } from '../phone/testing.ts';
import { neverQuiet } from '../quiet-hours/testing.ts';
import type { SmsFacts } from '../sms/facts.ts';
import type { SmsTemplate } from '../templates/template.ts';
import type { AskedFallback, SendChatAppTemplate, WrittenSms } from './command.ts';
import type { ChatAppFacts } from './facts.ts';
import * as rules from './plan.ts';
import { template } from './templates/testing.ts';

const smsTemplate: SmsTemplate = {
  id: 'shipped',
  content: 'Habari {{name}}',
  category: 'UTILITY',
  status: 'Active',
  approvalStatus: 'APPROVED',
  paramDefinitions: [{ name: 'name', format: 'Name', required: true }],
  registrations: {},
};
const sms: SmsFacts = {
  channels,
  quiet: neverQuiet,
  service: {
    ...{ id: 'sms', sender: 'DUKA', status: 'Active', purpose: 'MARKETING', quietHours: true },
    ...{ grant: { category: null, uses: [{ status: 'Approved' }] }, validitySeconds: null },
  },
  template: undefined,
  managedService: undefined,
  accountId: '9',
  findSenderRules: () => [],
};
const facts = (more: Partial<SmsFacts> = {}): ChatAppFacts => ({
  service: { id: 'chat', status: 'Active', quietHours: true },
  quiet: neverQuiet,
  number: { id: '1065', phone: '+254709000001' },
  template: template({ body: { text: 'Hello' } }),
  accounts: { UTILITY: '7' },
  sms: { ...sms, ...more },
});
const commandTo = (
  recipients: readonly (readonly [written: string, sms: WrittenSms])[],
  fallback: Partial<AskedFallback> = {},
  more: Partial<SendChatAppTemplate> = {},
): SendChatAppTemplate => ({
  caller: {
    teamId: 'team',
    clientId: 'client',
    scopes: ['message.sms.send.oneway'],
  },
  serviceId: 'chat',
  phoneNumberId: '1065',
  templateId: 'greeting',
  audience: 'each',
  recipients: recipients.map(([written, own]) => ({ written, content: { params: [], sms: own } })),
  fallback: { serviceId: 'sms', after: 600, ...fallback },
  receiptRequest: undefined,
  idempotency: undefined,
  ...more,
});
const text = { text: 'Habari' };
/** Requests arrive at 0. */
const sendAt = new Date(3_600_000).toISOString();
const plus = (seconds: number) => new Date(Date.parse(sendAt) + seconds * 1_000).toISOString();

describe('each recipient has an SMS in reserve', () => {
  test('of the same place, from the account of SMS, for the time after the chat-app message', () => {
    const { messages, accepted, ...plan } = planOf(
      rules,
      commandTo(
        [
          ['0711000001', text],
          ['0711000002', { text: 'x'.repeat(161) }],
        ],
        {},
        { schedule: { sendAt } },
      ),
      facts(),
    );
    const reserve = { product: 'sms', accountId: '9', sender: 'DUKA', sendAt: plus(600), inReserve: true };
    expect(messages).toMatchObject([
      { product: 'chatapp', position: 0, sendAt },
      { product: 'chatapp', position: 1, sendAt },
      { ...reserve, position: 0, phone: '+254711000001', units: 1, content: 'Habari' },
      { ...reserve, position: 1, phone: '+254711000002', units: 2 },
    ]);
    expect(accepted).toMatchObject({ addresses: 2, units: { UTILITY: 2 }, scheduledFor: sendAt });
    expect(plan).toMatchObject({
      category: 'UTILITY',
      resourceId: 'chat',
      smsServiceId: 'sms',
      sender: '+254709000001',
      fallback: { after: 600, sender: 'DUKA' },
      validitySeconds: 600,
    });
  });

  test('filled from a template with parameters of its own', () => {
    const to = (name: string) => ({ params: [{ name: 'name', value: name }] });
    const { messages } = planOf(
      rules,
      commandTo(
        [
          ['0711000001', to('Asha')],
          ['0711000002', to('Juma')],
        ],
        { templateId: 'shipped' },
      ),
      facts({ template: smsTemplate }),
    );
    expect(messages.slice(2).map(({ content }) => content)).toEqual(['Habari Asha', 'Habari Juma']);
  });
});

/** A rule of SMS in reserve. */
const rule = (desc: string) => ({ slug: 'fallback-invalid', desc });
const noText = '/fallback must have either a message for each recipient, or a templateId with its params.';

describe('refused is', () => {
  testEvery<[string, SendChatAppTemplate, ChatAppFacts, string | ReturnType<typeof rule>]>([
    ['somebody without a number', commandTo([['KE.1', text]]), facts(), 'SMS go to phone numbers only: KE.1'],
    ['a number without a channel', commandTo([['09', text]]), facts(), 'No channel for phone numbers: 09'],
    [
      'no text',
      commandTo([
        ['0711000001', text],
        ['0711000002', {}],
      ]),
      facts(),
      rule(noText),
    ],
    [
      'a text beside a template',
      commandTo([['0711000001', text]], { templateId: 'shipped' }),
      facts({ template: smsTemplate }),
      rule(noText),
    ],
    [
      'an unknown template',
      commandTo([['0711000001', { params: [] }]], { templateId: 'shipped' }),
      facts(),
      'Message template shipped not found.',
    ],
    [
      'a template of another category',
      commandTo([['0711000001', { params: [] }]], { templateId: 'shipped' }),
      facts({ template: { ...smsTemplate, category: 'MARKETING' } }),
      rule('/fallback/templateId is for MARKETING messages, and /templateId for UTILITY.'),
    ],
    [
      'a sender that is not approved',
      commandTo([['0711000001', text]]),
      facts({ service: { ...sms.service, grant: null } as never }),
      'Sender DUKA is not approved for Safaricom. Current status: Missing',
    ],
    [
      'an unknown service',
      commandTo([['0711000001', text]]),
      facts({ service: undefined }),
      'Service sms not found.',
    ],
    [
      'a time after the validity',
      commandTo([['0711000001', text]], {}, { schedule: { sendAt, validUntil: plus(600) } }),
      facts(),
      rule('/fallback/after must end before /schedule/validUntil.'),
    ],
  ])('%s', async (_what, command, given, desc) => {
    await expect(send(rules, { command, facts: given })).rejects.toMatchObject(
      typeof desc === 'string' ? { desc } : desc,
    );
  });

  test('a client that may not send SMS', async () => {
    const command = commandTo([['0711000001', text]]);
    const caller = { ...command.caller, scopes: [] };
    await expect(send(rules, { command: { ...command, caller }, facts: facts() })).rejects.toMatchObject({
      status: 403,
    });
  });

  test('a parameter of the SMS, as those of the chat app are', async () => {
    const command = commandTo([['0711000001', { params: [] }]], { templateId: 'shipped' });
    await expect(send(rules, { command, facts: facts({ template: smsTemplate }) })).rejects.toMatchObject({
      slug: 'invalid-parameters',
      result: { '0711000001': [{ type: 'ParameterError', parameterType: 'FallbackParameter' }] },
    });
  });
});
