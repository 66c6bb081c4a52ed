/** The rules of a reply, in the order of checks; to whom it goes, what it costs and until when it waits. */
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
import { neverQuiet } from '../quiet-hours/testing.ts';
import type { ReplyInChatApp, WrittenReply } from './command.ts';
import type { ChatAppFacts } from './facts.ts';
import * as rules from './plan.ts';

const inReplyTo = '7d1c2f4a-8e0b-4c55-9b1e-3f7a2c6d9e10';
const hourMs = 3_600_000;
const commandOf = (content: WrittenReply = { text: 'Leo' }): ReplyInChatApp => ({
  caller: { teamId: 'team', clientId: 'client', scopes: [] },
  ...{
    serviceId: 'chat',
    phoneNumberId: '1065',
    inReplyTo,
    receiptRequest: undefined,
    idempotency: undefined,
  },
  audience: 'each',
  recipients: [{ written: inReplyTo, content }],
});
/** Of a request that arrives at 0; the message is an hour old. */
const facts = (more: Partial<ChatAppFacts> = {}): ChatAppFacts => ({
  service: { id: 'chat', status: 'Active', quietHours: true },
  quiet: { ...neverQuiet, validitySeconds: 86_400 },
  number: { id: '1065', phone: '+254709000001' },
  template: undefined,
  answered: { serviceId: 'chat', to: '+254709000001', from: 'KE.1349', receivedAt: new Date(-hourMs) },
  accounts: { SERVICE: '7', UTILITY: '8' },
  ...more,
});

describe('a reply that fails a check and all later ones is rejected by that check', () => {
  type Row = CheckRow<ReplyInChatApp, ChatAppFacts>;
  const answeredWith =
    (change: Partial<NonNullable<ChatAppFacts['answered']>>): Row['broken'] =>
    ({ facts: given }) => ({
      facts: {
        ...given,
        answered: { ...facts().answered, ...given.answered, ...change } as ChatAppFacts['answered'],
      },
    });
  const unknown = { status: 404, desc: `Inbound message ${inReplyTo} not found.` };
  const checks: Row[] = [
    keyCheck,
    {
      check: '8 service unknown',
      broken: ({ facts: given }) => ({ facts: { ...given, service: undefined } }),
      ...{ status: 404, desc: 'Service chat not found.' },
    },
    rateCheck,
    {
      check: '10 sender number unknown',
      broken: ({ facts: given }) => ({ facts: { ...given, number: undefined } }),
      ...{ status: 404, desc: 'Phone number ID 1065 not found.' },
    },
    {
      check: '10 message unknown',
      broken: ({ facts: given }) => ({ facts: { ...given, answered: undefined } }),
      ...unknown,
    },
    { check: '10 sent to another service', broken: answeredWith({ serviceId: 'other' }), ...unknown },
    { check: '10 sent to another number', broken: answeredWith({ to: '+254709000002' }), ...unknown },
    { check: '10 sender erased', broken: answeredWith({ from: undefined }), ...unknown },
    {
      check: '10 session closed',
      broken: answeredWith({ receivedAt: new Date(-24 * hourMs) }),
      status: 400,
      desc: `Replies to inbound message ${inReplyTo} were possible until 1970-01-01T00:00:00.000Z.`,
    },
    {
      check: '11 content',
      broken: () => ({ command: commandOf({}) }),
      ...{ status: 400, desc: '/text or /media is required, not both.' },
    },
    balanceCheck,
  ];
  const situation = { command: commandOf(), facts: facts() };

  test('one that fails none is accepted', async () => {
    expect(await send(rules, situation)).toMatchObject({ replayed: false });
  });

  testEvery(walk(rules, situation, checks))('check $check', async ({ send, status, desc }) => {
    await expect(send()).rejects.toMatchObject({ status, desc });
  });
});

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
      ...{ content: JSON.stringify({ media }), units: 1, accountId: '7' },
    },
  ]);
});

test.each([
  ['until the session ends', 86_400, 23 * 3600],
  ['as long as any message, if that is shorter', 600, 600],
])('waits for its network %s', (_how, usual, seconds) => {
  const { validitySeconds, validUntil } = planOf(
    rules,
    commandOf(),
    facts({ quiet: { ...neverQuiet, validitySeconds: usual } }),
  );
  expect([validitySeconds, validUntil]).toEqual([seconds, new Date(seconds * 1000).toISOString()]);
});
