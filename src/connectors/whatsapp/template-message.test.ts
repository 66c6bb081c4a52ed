/** The `template` object of a message as the WhatsApp Cloud API documents it, for each of the fourteen parameters. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { fillTemplate } from '../../products/chatapp/templates/fill-template.ts';
import type { ChatAppParameter } from '../../products/chatapp/templates/parameter.ts';
import { checkParameters } from '../../products/chatapp/templates/parameters.ts';
import type { ChatAppTemplate } from '../../products/chatapp/templates/template.ts';
import { template } from '../../products/chatapp/templates/testing.ts';
import { type TemplateObject, templateObject } from './template-message.ts';

const text = (value: string) => ({ type: 'text', text: value });
const url = (index: number, value: string) => ({
  type: 'button',
  sub_type: 'url',
  index,
  parameters: [text(value)],
});
const copy = (index: number, code: string) => ({
  type: 'button',
  sub_type: 'copy_code',
  index,
  parameters: [{ type: 'coupon_code', coupon_code: code }],
});
const link = 'https://client.example/file';
const positional = { parameterFormat: 'POSITIONAL' } as const;

const rows: [string, Partial<ChatAppTemplate>, ChatAppParameter[], object[]][] = [
  ['nothing to fill: no component', {}, [], []],
  [
    'named texts say their name',
    { header: { format: 'TEXT', text: '{{shop}}' }, body: { text: '{{a}} {{b}}' } },
    [
      { type: 'BodyNamedParameter', name: 'b', value: 'B' },
      { type: 'BodyNamedParameter', name: 'a', value: 'A' },
      { type: 'HeaderNamedParameter', name: 'shop', value: 'S' },
    ],
    [
      { type: 'header', parameters: [{ type: 'text', parameter_name: 'shop', text: 'S' }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', parameter_name: 'a', text: 'A' },
          { type: 'text', parameter_name: 'b', text: 'B' },
        ],
      },
    ],
  ],
  [
    'positional texts come in the order of their numbers',
    { ...positional, header: { format: 'TEXT', text: '{{1}}' }, body: { text: '{{2}} {{1}}' } },
    [
      { type: 'BodyPositionalParameter', position: 2, value: 'two' },
      { type: 'HeaderPositionalParameter', position: 1, value: 'H' },
      { type: 'BodyPositionalParameter', position: 1, value: 'one' },
    ],
    [
      { type: 'header', parameters: [text('H')] },
      { type: 'body', parameters: [text('one'), text('two')] },
    ],
  ],
  [
    'a document with its name',
    { header: { format: 'DOCUMENT' } },
    [{ type: 'MediaParameter', value: link, filename: 'a.pdf' }],
    [{ type: 'header', parameters: [{ type: 'document', document: { link, filename: 'a.pdf' } }] }],
  ],
  [
    'a location, its degrees as decimals in strings',
    { header: { format: 'LOCATION' } },
    [{ type: 'LocationParameter', latitude: -1.286389, longitude: 1e-7, value: 'Shop', address: 'Road 1' }],
    [
      {
        type: 'header',
        parameters: [
          {
            type: 'location',
            location: { latitude: '-1.286389', longitude: '0.000000', name: 'Shop', address: 'Road 1' },
          },
        ],
      },
    ],
  ],
  [
    'buttons at their own places; a quick reply without a payload is left out',
    {
      buttons: [
        { type: 'QUICK_REPLY', text: 'No' },
        { type: 'QUICK_REPLY', text: 'Yes' },
        { type: 'URL', text: 'a', url: 'https://a.example/{{1}}' },
        { type: 'URL', text: 'b', url: 'https://a.example/{{order}}' },
        { type: 'COPY_CODE', text: 'Copy' },
      ],
    },
    [
      { type: 'QuickReplyPayloadParameter', position: 2, value: 'yes' },
      { type: 'UrlPositionalParameter', position: 1, value: 'one' },
      { type: 'UrlNamedParameter', name: 'order', value: '4711' },
      { type: 'CopyParameter', position: 1, value: 'CODE' },
    ],
    [
      {
        type: 'button',
        sub_type: 'quick_reply',
        index: 1,
        parameters: [{ type: 'payload', payload: 'yes' }],
      },
      url(2, 'one'),
      url(3, '4711'),
      copy(4, 'CODE'),
    ],
  ],
  [
    'an offer: its end in milliseconds, its code in the button',
    {
      category: 'MARKETING',
      limitedTimeOffer: { text: 'Soon over', hasExpiration: true },
      buttons: [{ type: 'COPY_CODE', text: 'Copy' }],
    },
    [
      { type: 'CouponCodeParameter', value: 'SAVE25' },
      { type: 'LimitedTimeOfferParameter', value: '2026-11-21T12:30:00+03:00' },
    ],
    [
      copy(0, 'SAVE25'),
      {
        type: 'limited_time_offer',
        parameters: [
          {
            type: 'limited_time_offer',
            limited_time_offer: { expiration_time_ms: Date.UTC(2026, 10, 21, 9, 30) },
          },
        ],
      },
    ],
  ],
  [
    'a one-time password: body and button url 0 at once',
    {
      ...positional,
      category: 'AUTHENTICATION',
      body: { text: '{{1}} is your code' },
      buttons: [{ type: 'OTP', text: 'Copy' }],
    },
    [{ type: 'OtpParameter', value: '482913' }],
    [{ type: 'body', parameters: [text('482913')] }, url(0, '482913')],
  ],
  [
    'a carousel: cards in the order of the template, each with components of its own',
    {
      ...positional,
      carousel: {
        cards: [
          {
            header: { format: 'IMAGE' },
            body: { text: '{{1}}' },
            buttons: [{ type: 'URL', text: 'a', url: 'https://a.example/{{1}}' }],
          },
          { header: { format: 'VIDEO' }, buttons: [] },
        ],
      },
    },
    [
      { type: 'CarouselCardParameter', cardIndex: 1, value: `${link}.mp4`, params: [] },
      {
        type: 'CarouselCardParameter',
        cardIndex: 0,
        value: `${link}.jpg`,
        params: [
          { type: 'UrlPositionalParameter', position: 1, value: 'lamp' },
          { type: 'BodyPositionalParameter', position: 1, value: 'Lamp' },
        ],
      },
    ],
    [
      {
        type: 'carousel',
        cards: [
          {
            card_index: 0,
            components: [
              { type: 'header', parameters: [{ type: 'image', image: { link: `${link}.jpg` } }] },
              { type: 'body', parameters: [text('Lamp')] },
              url(0, 'lamp'),
            ],
          },
          {
            card_index: 1,
            components: [{ type: 'header', parameters: [{ type: 'video', video: { link: `${link}.mp4` } }] }],
          },
        ],
      },
    ],
  ],
];

function message(parts: Partial<ChatAppTemplate>, params: readonly ChatAppParameter[]): TemplateObject {
  const filled = template(parts);
  const checked = checkParameters(filled, params, 0);
  if ('faults' in checked) throw new Error(JSON.stringify(checked.faults));
  return templateObject(JSON.parse(JSON.stringify(fillTemplate(filled, checked.filling))));
}

testEvery(rows)('%s', (_rule, parts, params, components) => {
  expect(message(parts, params)).toEqual({ name: 'greeting', language: { code: 'en' }, components });
});

test('a value is text, whatever it looks like', () => {
  const { components } = message({ body: { text: '{{a}} {{b}}' } }, [
    { type: 'BodyNamedParameter', name: 'a', value: '{{b}} $& $1' },
    { type: 'BodyNamedParameter', name: 'b', value: '__proto__' },
  ]);
  expect(components[0]?.parameters).toMatchObject([{ text: '{{b}} $& $1' }, { text: '__proto__' }]);
});
