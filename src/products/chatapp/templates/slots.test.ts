/** The places that a template's parameters fill, in the order of the template. */
import { expect } from '@jest/globals';
import { testEvery } from '../../../platform/for-every-testing.ts';
import { slotsOf } from './slots.ts';
import type { ChatAppTemplate } from './template.ts';
import { template } from './testing.ts';

const rows: [string, Partial<ChatAppTemplate>, string[]][] = [
  [
    'named texts: in the order of the text, once each',
    { header: { format: 'TEXT', text: '{{shop}}' }, body: { text: '{{b}} {{a}} {{b}}' } },
    ['HeaderNamedParameter shop', 'BodyNamedParameter b', 'BodyNamedParameter a'],
  ],
  [
    'positional texts: by number, ten after nine',
    {
      parameterFormat: 'POSITIONAL',
      header: { format: 'TEXT', text: '{{1}}' },
      body: { text: '{{10}} {{2}} {{9}}' },
    },
    [
      'HeaderPositionalParameter 1',
      'BodyPositionalParameter 2',
      'BodyPositionalParameter 9',
      'BodyPositionalParameter 10',
    ],
  ],
  ['a document', { header: { format: 'DOCUMENT' } }, ['MediaParameter MediaParameter']],
  [
    'buttons: counted by kind; those without a place are not counted',
    {
      buttons: [
        { type: 'URL', text: 'a', url: 'https://a.example' },
        { type: 'QUICK_REPLY', text: 'b' },
        { type: 'URL', text: 'c', url: 'https://a.example/{{1}}' },
        { type: 'PHONE_NUMBER', text: 'd' },
        { type: 'QUICK_REPLY', text: 'e' },
        { type: 'URL', text: 'f', url: 'https://a.example/{{1}}' },
        { type: 'URL', text: 'g', url: 'https://a.example/{{order}}' },
        { type: 'COPY_CODE', text: 'h' },
      ],
    },
    [
      'QuickReplyPayloadParameter 1?',
      'UrlPositionalParameter 1',
      'QuickReplyPayloadParameter 2?',
      'UrlPositionalParameter 2',
      'UrlNamedParameter order',
      'CopyParameter 1',
    ],
  ],
  [
    'an offer: its end, and the code that its button copies',
    {
      category: 'MARKETING',
      limitedTimeOffer: { text: 'Soon over', hasExpiration: true },
      buttons: [{ type: 'COPY_CODE', text: 'Copy' }],
    },
    ['CouponCodeParameter CouponCodeParameter', 'LimitedTimeOfferParameter LimitedTimeOfferParameter'],
  ],
  [
    'a one-time password: body and button are one place',
    {
      category: 'AUTHENTICATION',
      parameterFormat: 'POSITIONAL',
      body: { text: '{{1}} is your code' },
      buttons: [{ type: 'OTP', text: 'Copy' }],
    },
    ['OtpParameter OtpParameter'],
  ],
];

testEvery(rows)('%s', (_rule, parts, expected) => {
  const slots = slotsOf(template(parts));
  expect(slots.map(({ kind, label, required }) => `${kind} ${label}${required ? '' : '?'}`)).toEqual(
    expected,
  );
});
