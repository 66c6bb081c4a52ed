/** The rules of SMS in reserve: who gets them, when, from which account, and what is refused. */
import { describe, expect, test } from '@jest/globals';
import { common, planOf, send } from '../../accept/accept-testing.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import type { SmsFacts } from '../sms/facts.ts';
import { facts as sms, service as smsService, template as smsTemplate } from '../sms/testing.ts';
import type { AskedFallback, SendChatAppTemplate, WrittenSms } from './command.ts';
import type { ChatAppFacts } from './facts.ts';
import * as rules from './plan.ts';
import { template } from './templates/testing.ts';
import { facts as chatApp } from './testing.ts';

const facts = (more: Partial<SmsFacts> = {}): ChatAppFacts => ({
  ...{ ...chatApp, template: template() },
  sms: { ...sms, template: undefined, ...more },
});
const shipped = { ...smsTemplate, content: 'Habari {{name}}', paramDefinitions: [] };
const withTemplate = facts({ template: shipped });

const commandTo = (
  recipients: readonly (readonly [written: string, sms: WrittenSms])[],
  fallback: Partial<AskedFallback> = {},
  schedule?: SendChatAppTemplate['schedule'],
): SendChatAppTemplate => ({
  ...{ ...common, caller: { ...common.caller, scopes: ['message.sms.send.oneway'] } },
  ...{ serviceId: 'chat', phoneNumberId: '1065', templateId: 'greeting', audience: 'each' },
  recipients: recipients.map(([written, own]) => ({ written, content: { params: [], sms: own } })),
  fallback: { serviceId: 'service', after: 600, ...fallback },
  ...(schedule === undefined ? {} : { schedule }),
});
/** To one number, by default with a text. */
const commandOf = (
  own: WrittenSms = text,
  ...more: [Partial<AskedFallback>?, SendChatAppTemplate['schedule']?]
) => commandTo([['0711000001', own]], ...more);
const text = { text: 'Habari' };
const byTemplate = { templateId: 'shipped' };
/** Requests arrive at 0. */
const sendAt = new Date(3_600_000).toISOString();
const plus = (seconds: number) => new Date(Date.parse(sendAt) + seconds * 1_000).toISOString();

describe('each recipient has an SMS in reserve', () => {
  test('of the same place, from the account of SMS, for the time after the chat-app message', () => {
    const recipients = [
      ['0711000001', text],
      ['0711000002', { text: 'x'.repeat(161) }],
    ] as const;
    const { messages, accepted, ...plan } = planOf(rules, commandTo(recipients, {}, { sendAt }), facts());
    const reserve = { product: 'sms', accountId: '7', sender: 'TARISHI', sendAt: plus(600), inReserve: true };
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
      smsServiceId: 'service',
      sender: '+254709000001',
      fallback: { after: 600, sender: 'TARISHI' },
      validitySeconds: 600,
    });
  });

  test('filled from a template with parameters of its own', () => {
    const to = (name: string) => ({ params: [{ name: 'name', value: name }] });
    const recipients = [
      ['0711000001', to('Asha')],
      ['0711000002', to('Juma')],
    ] as const;
    const { messages } = planOf(rules, commandTo(recipients, byTemplate), withTemplate);
    expect(messages.slice(2).map(({ content }) => content)).toEqual(['Habari Asha', 'Habari Juma']);
  });
});

/** A rule of SMS in reserve. */
const rule = (desc: string) => ({ slug: 'fallback-invalid', desc });
const noText = rule(
  '/fallback must have either a message for each recipient, or a templateId with its params.',
);

testEvery<[string, SendChatAppTemplate, ChatAppFacts, object]>([
  [
    'somebody without a number',
    commandTo([['KE.1', text]]),
    facts(),
    { desc: 'SMS go to phone numbers only: KE.1' },
  ],
  ['a number without a channel', commandTo([['09', text]]), facts(), { slug: 'no-channel' }],
  ['no text', commandOf({}), facts(), noText],
  ['a text beside a template', commandOf(text, byTemplate), withTemplate, noText],
  ['an unknown template', commandOf({ params: [] }, byTemplate), facts(), { slug: 'template-unknown' }],
  [
    'a template of another category',
    commandOf({ params: [] }, byTemplate),
    facts({ template: { ...shipped, category: 'MARKETING' } }),
    rule('/fallback/templateId is for MARKETING messages, and /templateId for UTILITY.'),
  ],
  [
    'a sender that is not approved',
    commandOf(),
    facts({ service: { ...smsService, grant: null } }),
    { slug: 'sender-not-approved' },
  ],
  ['an unknown service', commandOf(), facts({ service: undefined }), { slug: 'service-unknown' }],
  [
    'a time after the validity',
    commandOf(text, {}, { sendAt, validUntil: plus(600) }),
    facts(),
    rule('/fallback/after must end before /schedule/validUntil.'),
  ],
  [
    'a client that may not send SMS',
    { ...commandOf(), caller: common.caller },
    facts(),
    { slug: 'missing-scope', status: 403 },
  ],
  [
    'a parameter of the SMS, as those of the chat app are',
    commandOf({ params: [] }, byTemplate),
    withTemplate,
    {
      slug: 'invalid-parameters',
      result: { '0711000001': [{ type: 'ParameterError', parameterType: 'FallbackParameter' }] },
    },
  ],
])('refused is %s', async (_what, command, given, refusal) => {
  await expect(send(rules, { command, facts: given })).rejects.toMatchObject(refusal);
});
