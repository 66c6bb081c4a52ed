/** What countries ask of senders: each rule, and for which phones it counts. */
import { expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { countriesOf } from '../quiet-hours/zones.ts';
import { requireGranted, type SenderUse } from './sender.ts';
import { brokenRule, createFindSenderRules, type SenderRules } from './sender-rules.ts';

const none: SenderRules = {
  country: 'SG',
  kinds: ['Alphanumeric', 'ShortCode', 'LongCode'],
  minLength: null,
  maxLength: null,
  genericNames: [],
  registeredKinds: [],
  separatePromotional: false,
  shared: true,
  source: 'SGNIC, 2023-01-31',
};
const everywhere: SenderUse = { status: 'Approved' };
const ofChannel: SenderUse = { status: 'Approved', channel: 'Singtel' };
const registrations = { uen: '201912345A' };
const unregistered = 'it needs a use of that country or channel with its registrations';

testEvery<[string, Partial<SenderRules>, string, SenderUse, string | undefined]>([
  ['no rule', {}, 'A', everywhere, undefined],
  [
    'a name where numbers are used',
    { kinds: ['ShortCode', 'LongCode'] },
    'ACME',
    everywhere,
    'senders are of the kind ShortCode or LongCode there',
  ],
  ['a number there', { kinds: ['ShortCode', 'LongCode'] }, '+6581234567', everywhere, undefined],
  ['too short', { minLength: 3, maxLength: 11 }, 'AC', everywhere, 'names have 3 to 11 characters there'],
  [
    'too short without a maximum',
    { minLength: 3 },
    'AC',
    everywhere,
    'names have at least 3 characters there',
  ],
  ['too long', { maxLength: 6 }, 'ACMECO1', everywhere, 'names have at most 6 characters there'],
  ['numbers have any length', { minLength: 3, maxLength: 6 }, '+6581234567', everywhere, undefined],
  [
    'a generic name in another spelling',
    { genericNames: ['INFO'] },
    'I.n.f.o',
    everywhere,
    'the name is generic',
  ],
  ['a name that has a generic one in it', { genericNames: ['INFO'] }, 'ACMEINFO', everywhere, undefined],
  [
    'registered there',
    { registeredKinds: ['Alphanumeric'] },
    'ACME',
    { ...ofChannel, registrations },
    undefined,
  ],
  ['not registered', { registeredKinds: ['Alphanumeric'] }, 'ACME', ofChannel, unregistered],
  [
    'registered somewhere else',
    { registeredKinds: ['Alphanumeric'] },
    'ACME',
    { ...everywhere, registrations },
    unregistered,
  ],
  ['a kind that needs no registration', { registeredKinds: ['Alphanumeric'] }, '71234', ofChannel, undefined],
])('%s', (_what, rules, seen, use, expected) => {
  expect(brokenRule({ ...none, ...rules }, { seen, use })).toBe(expected);
});

const find = createFindSenderRules(
  [
    { ...none, minLength: 5 },
    { ...none, country: 'GB', genericNames: ['INFO'], source: '' },
    { ...none, country: 'KE', separatePromotional: true, source: 'Networks' },
  ],
  countriesOf,
);

/** What people see, or the sentence of the error. */
function seen(
  sender: string,
  phone: string,
  more: { own?: 'MARKETING'; category?: 'MARKETING'; as?: string } = {},
) {
  const use: SenderUse = { ...everywhere, ...(more.as === undefined ? {} : { as: more.as }) };
  const asked = { category: more.category ?? ('UTILITY' as const), nowMs: 0, findRules: find };
  try {
    const grant = { category: more.own ?? null, uses: [use] };
    return requireGranted(sender, grant, asked)({ phone, channel: 'Any' }).sender ?? sender;
  } catch (error) {
    return (error as Error).message;
  }
}

testEvery([
  [
    'of its country',
    seen('ACME', '+6581234567'),
    'Sender ACME cannot be used in SG: names have at least 5 characters there. Source: SGNIC, 2023-01-31',
  ],
  ['of another country', seen('ACME', '+33612345678'), 'ACME'],
  ['what people see counts', seen('ACME', '+6581234567', { as: 'ACMECO' }), 'ACMECO'],
  // +44 7000 may be of Guernsey as well.
  [
    'of one country of several',
    seen('INFO', '+447000123456'),
    'Sender INFO cannot be used in GB: the name is generic. Source: the operator',
  ],
  [
    'promotional, from a sender for everything',
    seen('ACME', '+254711000000', { category: 'MARKETING' }),
    'Sender ACME cannot be used in KE: promotional messages need a sender of the category MARKETING. Source: Networks',
  ],
  [
    'promotional, from a sender of its own',
    seen('ACME', '+254711000000', { category: 'MARKETING', own: 'MARKETING' }),
    'ACME',
  ],
  ['transactional, from a sender for everything', seen('ACME', '+254711000000'), 'ACME'],
])('a message is refused by the rules of its country: %s', (_what, found, expected) => {
  expect(found).toBe(expected);
});
