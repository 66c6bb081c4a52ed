/** The rules of a reply, in the order of checks; to whom it goes, what it costs and until when it waits. */
import { expect, test } from '@jest/globals';
import { common, planOf, requestId } from '../../accept/accept-testing.ts';
import * as order from '../../accept/order-testing.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import type { ReplyInChatApp, WrittenReply } from './command.ts';
import type { ChatAppFacts } from './facts.ts';
import * as rules from './plan.ts';
import { facts as ofTemplate } from './testing.ts';

const inReplyTo = '7d1c2f4a-8e0b-4c55-9b1e-3f7a2c6d9e10';
const hourMs = 3_600_000;
const commandOf = (content: WrittenReply = { text: 'Leo' }): ReplyInChatApp => ({
  ...common,
  ...{ serviceId: 'chat', phoneNumberId: '1065', inReplyTo },
  audience: 'each',
  recipients: [{ written: inReplyTo, content }],
});
/** Of a request that arrives at 0; the message is an hour old. */
const answered = {
  ...{ serviceId: 'chat', to: '+254709000001', from: 'KE.1349' as string | undefined },
  receivedAt: new Date(-hourMs),
};
const facts = (validitySeconds = 86_400): ChatAppFacts => ({
  ...{ ...ofTemplate, template: undefined, answered },
  quiet: { ...ofTemplate.quiet, validitySeconds },
});

const answeredWith =
  (change: Partial<typeof answered>) =>
  ({ facts: given }: { facts: ChatAppFacts }) => ({
    facts: { ...given, answered: { ...answered, ...given.answered, ...change } },
  });
const unknown = `Inbound message ${inReplyTo} not found.`;

test('a reply that fails a check and all later ones is rejected by that check', () =>
  order.isKept(rules, { command: commandOf(), facts: facts() }, [
    order.key,
    ['8 service unknown', order.withFacts({ service: undefined }), 'Service chat not found.'],
    order.rate,
    ['10 sender number unknown', order.withFacts({ number: undefined }), 'Phone number ID 1065 not found.'],
    ['10 message unknown', order.withFacts({ answered: undefined }), unknown],
    ['10 sent to another service', answeredWith({ serviceId: 'other' }), unknown],
    ['10 sent to another number', answeredWith({ to: '+254709000002' }), unknown],
    ['10 sender erased', answeredWith({ from: undefined }), unknown],
    [
      '10 session closed',
      answeredWith({ receivedAt: new Date(-24 * hourMs) }),
      `Replies to inbound message ${inReplyTo} were possible until 1970-01-01T00:00:00.000Z.`,
    ],
    ['11 content', () => ({ command: commandOf({}) }), '/text or /media is required, not both.'],
    order.balance,
  ]));

const media = { kind: 'IMAGE', url: 'https://client.example/a.jpg' } as const;

testEvery<[WrittenReply, string]>([
  [{ text: 'Leo', media }, '/text or /media is required, not both.'],
  [{ media: { ...media, url: 'http://10.0.0.1/a' } }, '/media/url must be a public http or https URL.'],
  [{ media: { ...media, kind: 'AUDIO', caption: 'x' } }, '/media/caption is not allowed for AUDIO.'],
  [{ media: { ...media, filename: 'x' } }, '/media/filename is only allowed for a DOCUMENT.'],
])('%j is refused', (content, desc) => {
  expect(() => planOf(rules, commandOf(content), facts())).toThrow(
    expect.objectContaining({ status: 400, slug: 'reply-invalid', desc }),
  );
});

test('goes to whoever sent the message, from the account SERVICE', () => {
  const plan = planOf(rules, commandOf({ media }), facts());
  expect(plan).toMatchObject({
    ...{ category: 'SERVICE', sender: '+254709000001' },
    accepted: { requestId, units: { SERVICE: 1 }, addresses: 1 },
  });
  expect(plan.messages).toEqual([
    {
      ...{ product: 'chatapp', position: 0, channel: '1065', phone: 'KE.1349', held: false },
      ...{ content: JSON.stringify({ media }), units: 1, accountId: '9' },
    },
  ]);
});

testEvery([
  ['until the session ends', 86_400, 23 * 3600],
  ['as long as any message, if that is shorter', 600, 600],
])('waits for its network %s', (_how, usual, seconds) => {
  expect(planOf(rules, commandOf(), facts(usual))).toMatchObject({
    validitySeconds: seconds,
    validUntil: new Date(seconds * 1000).toISOString(),
  });
});
