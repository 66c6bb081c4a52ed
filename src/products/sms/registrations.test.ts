/** Which registrations a message needs and has, and the sentences that ask for them. */
import { expect, test } from '@jest/globals';
import { channelTable } from '../phone/channels.ts';
import { registrationsOf, requireRegistrations, valuesFor } from './registrations.ts';
import type { SenderUse } from './sender.ts';

const jio = {
  name: 'Jio',
  prefixes: ['9170'],
  connector: 'jio',
  requiredRegistrations: ['entityId', 'templateId'],
};
const channels = channelTable([
  jio,
  { ...jio, name: 'Bharat', prefixes: ['9194'], requiredRegistrations: ['entityId'] },
  { name: 'Safaricom', prefixes: ['2547'], connector: 'smsc' },
]);
const all = ['+917000000001', '+917000000002', '+919400000001', '+254711000000'].map((phone) => ({
  phone,
  channel: channels.find(phone)?.name ?? '',
}));
const uses: SenderUse[] = [
  { status: 'Approved', country: 'IN', registrations: { entityId: '1101' } },
  { status: 'Approved', channel: 'Bharat', registrations: { entityId: '1102', templateId: '1106' } },
  { status: 'Approved' },
];
const shipped = { registrations: { templateId: '1107' } };

test('are those of the text over those of the sender where the message goes', () => {
  const registrations = registrationsOf(shipped, { uses });
  expect(all.slice(1).map((message) => valuesFor(registrations, message))).toEqual([
    { entityId: '1101', templateId: '1107' },
    { entityId: '1102', templateId: '1107' },
    { templateId: '1107' },
  ]);
  expect(registrationsOf({ registrations: {} }, { uses: [{ status: 'Approved' }] })).toBeUndefined();
});

const check = (
  recipients: typeof all,
  template: { registrations: Record<string, string> } | undefined,
  grant: { uses: readonly SenderUse[] } | undefined,
) =>
  requireRegistrations(recipients, registrationsOf(template, grant), channels, {
    sender: 'ACME',
    templateId: template && 'shipped',
  });

test('the template may have some and the sender the others', () => {
  expect(() => check(all, shipped, { uses })).not.toThrow();
  expect(() => check(all.slice(3), undefined, undefined)).not.toThrow();
});

test.each([
  [
    'nothing',
    undefined,
    undefined,
    'Missing registrations: Jio needs entityId, templateId; Bharat needs entityId. Add them to sender ACME, or send a message template that has them.',
  ],
  [
    'a free-form text without its template',
    undefined,
    { uses },
    'Missing registrations: Jio needs templateId. Add them to sender ACME, or send a message template that has them.',
  ],
  [
    'a template without its own',
    { registrations: {} },
    { uses },
    'Missing registrations: Jio needs templateId. Add them to message template shipped or to sender ACME.',
  ],
] as const)('%s', (_rule, template, grant, desc) => {
  expect(() => check(all, template, grant)).toThrow(
    expect.objectContaining({ status: 400, slug: 'registrations-missing', desc }),
  );
});
