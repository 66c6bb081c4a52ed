/** Which registrations a message needs, and the sentences that ask for them. */
import { expect, test } from '@jest/globals';
import { channelFinder } from '../phone/channels.ts';
import { requireRegistrations } from './registrations.ts';

const jio = {
  name: 'Jio',
  prefixes: ['9170'],
  connector: 'jio',
  requiredRegistrations: ['entityId', 'templateId'],
};
const find = channelFinder([
  jio,
  { ...jio, name: 'Bharat', prefixes: ['9194'], requiredRegistrations: ['entityId'] },
  { name: 'Safaricom', prefixes: ['2547'], connector: 'smsc' },
]);
const all = ['+917000000001', '+917000000002', '+919400000001', '+254711000000'].map((phone) => ({
  phone,
  channel: find(phone)?.name ?? '',
}));

const check = (recipients: typeof all, service: Record<string, string>, template?: Record<string, string>) =>
  requireRegistrations(
    recipients,
    { find },
    {
      serviceId: 'orders',
      service: { registrations: service },
      ...(template && { templateId: 'shipped', template: { registrations: template } }),
    },
  );

test('the template may have some and the service the others', () => {
  expect(() => check(all, { entityId: '1101' }, { templateId: '1107' })).not.toThrow();
  expect(() => check(all.slice(3), {})).not.toThrow();
});

test.each([
  [
    'nothing',
    all,
    {},
    undefined,
    'Missing registrations: Jio needs entityId, templateId; Bharat needs entityId. Add them to service orders, or send a message template that has them.',
  ],
  [
    'a free-form text without its template',
    all,
    { entityId: '1101' },
    undefined,
    'Missing registrations: Jio needs templateId. Add them to service orders, or send a message template that has them.',
  ],
  [
    'a template without its own',
    all,
    { entityId: '1101' },
    {},
    'Missing registrations: Jio needs templateId. Add them to message template shipped or to service orders.',
  ],
] as const)('%s', (_rule, recipients, service, template, desc) => {
  expect(() => check([...recipients], service, template)).toThrow(
    expect.objectContaining({ status: 400, slug: 'registrations-missing', desc }),
  );
});
