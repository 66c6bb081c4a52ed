/** What is stored of a filled template: values in their places, in the form of no network. */
import { expect, test } from '@jest/globals';
import { fillTemplate } from './fill-template.ts';
import type { ChatAppParameter } from './parameter.ts';
import { checkParameters } from './parameters.ts';
import type { ChatAppTemplate } from './template.ts';
import { template } from './testing.ts';

const url = 'https://client.example/file';

function fill(parts: Partial<ChatAppTemplate>, params: readonly ChatAppParameter[]) {
  const own = template(parts);
  const checked = checkParameters(own, params, 0);
  if ('faults' in checked) throw new Error(JSON.stringify(checked.faults));
  return fillTemplate(own, checked.filling);
}

test('a template without parameters is its name and language', () => {
  expect(fill({}, [])).toEqual({ name: 'greeting', language: 'en' });
});

test('named texts keep their names, numbered ones their order', () => {
  const params: ChatAppParameter[] = [
    { type: 'BodyPositionalParameter', position: 2, value: 'two' },
    { type: 'BodyPositionalParameter', position: 1, value: 'one' },
  ];
  expect(fill({ parameterFormat: 'POSITIONAL', body: { text: '{{2}} {{1}}' } }, params)).toMatchObject({
    body: [{ value: 'one' }, { value: 'two' }],
  });
  expect(
    fill({ body: { text: '{{a}}' } }, [{ type: 'BodyNamedParameter', name: 'a', value: 'A' }]),
  ).toMatchObject({ body: [{ name: 'a', value: 'A' }] });
});

test('header, buttons and the end of an offer', () => {
  expect(
    fill(
      {
        category: 'MARKETING',
        header: { format: 'DOCUMENT' },
        limitedTimeOffer: { text: 'Soon over', hasExpiration: true },
        buttons: [
          { type: 'QUICK_REPLY', text: 'No' },
          { type: 'COPY_CODE', text: 'Copy' },
        ],
      },
      [
        { type: 'MediaParameter', value: url, filename: 'a.pdf' },
        { type: 'CouponCodeParameter', value: 'SAVE25' },
        { type: 'LimitedTimeOfferParameter', value: '2026-11-21T12:30:00+03:00' },
      ],
    ),
  ).toEqual({
    name: 'greeting',
    language: 'en',
    header: { format: 'DOCUMENT', url, filename: 'a.pdf' },
    buttons: [{ index: 1, type: 'COPY_CODE', value: 'SAVE25' }],
    offerEndsMs: Date.UTC(2026, 10, 21, 9, 30),
  });
});

test('a one-time password is in the body and in the button', () => {
  expect(
    fill(
      {
        parameterFormat: 'POSITIONAL',
        category: 'AUTHENTICATION',
        body: { text: '{{1}} is your code' },
        buttons: [{ type: 'OTP', text: 'Copy' }],
      },
      [{ type: 'OtpParameter', value: '482913' }],
    ),
  ).toMatchObject({ body: [{ value: '482913' }], buttons: [{ index: 0, type: 'OTP', value: '482913' }] });
});

test('a card has its medium as header, and texts and buttons of its own', () => {
  expect(
    fill({ carousel: { cards: [{ header: { format: 'VIDEO' }, body: { text: '{{a}}' }, buttons: [] }] } }, [
      {
        type: 'CarouselCardParameter',
        cardIndex: 0,
        value: url,
        params: [{ type: 'BodyNamedParameter', name: 'a', value: 'A' }],
      },
    ]),
  ).toMatchObject({
    cards: [{ index: 0, header: { format: 'VIDEO', url }, body: [{ name: 'a', value: 'A' }] }],
  });
});
