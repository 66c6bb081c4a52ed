/** The places that a template's parameters fill, in the order of the template. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../../platform/for-every-testing.ts';
import { buttonSlots, slotsOf } from './slots.ts';
import type { ChatAppTemplate } from './template.ts';
import { template } from './testing.ts';

const rows: [string, Partial<ChatAppTemplate>, string[]][] = [
  ['no placeholder, no place', {}, []],
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
  ['an image', { header: { format: 'IMAGE' } }, ['MediaParameter MediaParameter']],
  ['a video', { header: { format: 'VIDEO' } }, ['MediaParameter MediaParameter']],
  ['a document', { header: { format: 'DOCUMENT' } }, ['MediaParameter MediaParameter']],
  ['a location', { header: { format: 'LOCATION' } }, ['LocationParameter LocationParameter']],
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
    'an offer without an end',
    { category: 'MARKETING', limitedTimeOffer: { text: 'Always', hasExpiration: false } },
    [],
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
  [
    'a carousel: its cards, from 0',
    {
      carousel: {
        cards: [
          { header: { format: 'IMAGE' }, body: { text: '{{x}}' }, buttons: [] },
          { header: { format: 'VIDEO' }, buttons: [] },
        ],
      },
    },
    ['CarouselCardParameter card 0', 'CarouselCardParameter card 1'],
  ],
];

testEvery(rows)('%s', (_rule, parts, expected) => {
  const slots = slotsOf(template(parts));
  expect(slots.map(({ kind, label, required }) => `${kind} ${label}${required ? '' : '?'}`)).toEqual(
    expected,
  );
});

describe('a button', () => {
  test('keeps its place among all buttons, as the network counts them', () => {
    const slots = buttonSlots(
      template({
        buttons: [
          { type: 'PHONE_NUMBER', text: 'a' },
          { type: 'QUICK_REPLY', text: 'b' },
          { type: 'URL', text: 'c', url: 'https://a.example/{{1}}' },
        ],
      }),
    );
    expect(slots.map(({ kind, index }) => [kind, index])).toEqual([
      ['QuickReplyPayloadParameter', 1],
      ['UrlPositionalParameter', 2],
    ]);
  });
});
