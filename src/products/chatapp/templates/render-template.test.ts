/** A filled template is shown as its recipient sees it. */
import { expect, test } from '@jest/globals';
import { fillTemplate } from './fill-template.ts';
import type { ChatAppParameter } from './parameter.ts';
import { checkParameters } from './parameters.ts';
import { renderTemplate } from './render-template.ts';
import type { ChatAppTemplate } from './template.ts';
import { template } from './testing.ts';

const url = 'https://client.example/file';

function render(parts: Partial<ChatAppTemplate>, params: readonly ChatAppParameter[]) {
  const own = template(parts);
  const checked = checkParameters(own, params, 0);
  if ('faults' in checked) throw new Error(JSON.stringify(checked.faults));
  return renderTemplate(own, fillTemplate(own, checked.filling));
}

test('texts: named placeholders by name, numbered ones by number, and a value is never read as a placeholder', () => {
  expect(
    render(
      {
        header: { format: 'TEXT', text: 'News from {{shop}}' },
        body: { text: '{{a}} {{b}} {{a}}' },
        footer: { text: 'Bye' },
      },
      [
        { type: 'HeaderNamedParameter', name: 'shop', value: 'Duka' },
        { type: 'BodyNamedParameter', name: 'a', value: '{{b}}' },
        { type: 'BodyNamedParameter', name: 'b', value: 'B' },
      ],
    ),
  ).toEqual({
    header: { format: 'TEXT', text: 'News from Duka' },
    body: '{{b}} B {{b}}',
    footer: 'Bye',
    buttons: [],
  });
  expect(
    render({ parameterFormat: 'POSITIONAL', body: { text: '{{2}} {{1}}' } }, [
      { type: 'BodyPositionalParameter', position: 1, value: 'one' },
      { type: 'BodyPositionalParameter', position: 2, value: 'two' },
    ]).body,
  ).toBe('two one');
});

test('a document, buttons of every kind, and an offer with its end', () => {
  expect(
    render(
      {
        category: 'MARKETING',
        header: { format: 'DOCUMENT' },
        buttons: [
          { type: 'URL', text: 'Shop', url: 'https://shop.example' },
          { type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' },
          { type: 'QUICK_REPLY', text: 'Later' },
          { type: 'COPY_CODE', text: 'Copy' },
          { type: 'PHONE_NUMBER', text: 'Call' },
        ],
        limitedTimeOffer: { text: 'Sale', hasExpiration: true },
      },
      [
        { type: 'MediaParameter', value: url, filename: 'a.pdf' },
        { type: 'UrlPositionalParameter', position: 1, value: '4711' },
        { type: 'CouponCodeParameter', value: 'SAVE25' },
        { type: 'LimitedTimeOfferParameter', value: '2030-01-01T00:00:00Z' },
      ],
    ),
  ).toEqual({
    header: { format: 'DOCUMENT', url, filename: 'a.pdf' },
    body: 'Hello',
    buttons: [
      { type: 'URL', text: 'Shop', value: 'https://shop.example' },
      { type: 'URL', text: 'Track', value: 'https://shop.example/4711' },
      { type: 'QUICK_REPLY', text: 'Later' },
      { type: 'COPY_CODE', text: 'Copy', value: 'SAVE25' },
      { type: 'PHONE_NUMBER', text: 'Call' },
    ],
    offer: { text: 'Sale', endsAt: '2030-01-01T00:00:00.000Z' },
  });
});

test('a one-time password, in the body and on its button', () => {
  expect(
    render(
      {
        category: 'AUTHENTICATION',
        parameterFormat: 'POSITIONAL',
        body: { text: 'Code {{1}}' },
        buttons: [{ type: 'OTP', text: 'Copy code' }],
      },
      [{ type: 'OtpParameter', value: '482913' }],
    ),
  ).toEqual({ body: 'Code 482913', buttons: [{ type: 'OTP', text: 'Copy code', value: '482913' }] });
});

test('the cards of a carousel, each with its own media and text', () => {
  const card = (value: string): Extract<ChatAppParameter, { type: 'CarouselCardParameter' }> => ({
    type: 'CarouselCardParameter',
    cardIndex: value === 'one' ? 0 : 1,
    value: `${url}/${value}`,
    params: [{ type: 'BodyNamedParameter', name: 'shoe', value }],
  });
  const stored = { header: { format: 'IMAGE' }, body: { text: 'Shoe {{shoe}}' }, buttons: [] } as const;
  expect(render({ carousel: { cards: [stored, stored] } }, [card('two'), card('one')]).cards).toEqual([
    { header: { format: 'IMAGE', url: `${url}/one` }, body: 'Shoe one', buttons: [] },
    { header: { format: 'IMAGE', url: `${url}/two` }, body: 'Shoe two', buttons: [] },
  ]);
});
