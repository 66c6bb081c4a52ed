/** A filled template: what is stored of it, in the form of no network, and how its recipient sees it. */
import { expect, test } from '@jest/globals';
import { fillTemplate } from './fill-template.ts';
import type { ChatAppParameter } from './parameter.ts';
import { checkParameters } from './parameters.ts';
import { renderTemplate } from './render-template.ts';
import type { ChatAppTemplate } from './template.ts';
import { template } from './testing.ts';

const url = 'https://client.example/file';

function fill(parts: Partial<ChatAppTemplate>, params: readonly ChatAppParameter[]) {
  const own = template(parts);
  const checked = checkParameters(own, params, 0);
  if ('faults' in checked) throw new Error(JSON.stringify(checked.faults));
  const stored = fillTemplate(own, checked.filling);
  return { stored, shown: renderTemplate(own, stored) };
}

test('named texts keep their names, and a value is never read as a placeholder', () => {
  const texts = {
    header: { format: 'TEXT', text: 'News from {{shop}}' },
    body: { text: '{{a}} {{b}} {{a}}' },
    footer: { text: 'Bye' },
  } as const;
  const { stored, shown } = fill(texts, [
    { type: 'HeaderNamedParameter', name: 'shop', value: 'Duka' },
    { type: 'BodyNamedParameter', name: 'a', value: '{{b}}' },
    { type: 'BodyNamedParameter', name: 'b', value: 'B' },
  ]);
  expect(stored).toEqual({
    name: 'greeting',
    language: 'en',
    header: { format: 'TEXT', texts: [{ name: 'shop', value: 'Duka' }] },
    body: [
      { name: 'a', value: '{{b}}' },
      { name: 'b', value: 'B' },
    ],
  });
  expect(shown).toEqual({
    header: { format: 'TEXT', text: 'News from Duka' },
    body: '{{b}} B {{b}}',
    footer: 'Bye',
    buttons: [],
  });
});

test('numbered texts are stored in the order of their numbers', () => {
  const { stored, shown } = fill({ parameterFormat: 'POSITIONAL', body: { text: '{{2}} {{1}}' } }, [
    { type: 'BodyPositionalParameter', position: 2, value: 'two' },
    { type: 'BodyPositionalParameter', position: 1, value: 'one' },
  ]);
  expect([stored.body, shown.body]).toEqual([[{ value: 'one' }, { value: 'two' }], 'two one']);
});

test('a document, buttons of every kind, and an offer with its end', () => {
  const parts: Partial<ChatAppTemplate> = {
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
  };
  const header = { format: 'DOCUMENT', url, filename: 'a.pdf' };
  const { stored, shown } = fill(parts, [
    { type: 'MediaParameter', value: url, filename: 'a.pdf' },
    { type: 'UrlPositionalParameter', position: 1, value: '4711' },
    { type: 'CouponCodeParameter', value: 'SAVE25' },
    { type: 'LimitedTimeOfferParameter', value: '2029-12-31T21:00:00-03:00' },
  ]);
  expect(stored).toMatchObject({
    header,
    buttons: [
      { index: 1, type: 'URL', value: '4711' },
      { index: 3, type: 'COPY_CODE', value: 'SAVE25' },
    ],
    offerEndsMs: Date.UTC(2030, 0, 1),
  });
  expect(shown).toEqual({
    header,
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

test('a one-time password is in the body and in the button', () => {
  const parts: Partial<ChatAppTemplate> = {
    category: 'AUTHENTICATION',
    parameterFormat: 'POSITIONAL',
    body: { text: 'Code {{1}}' },
    buttons: [{ type: 'OTP', text: 'Copy code' }],
  };
  const { stored, shown } = fill(parts, [{ type: 'OtpParameter', value: '482913' }]);
  expect(stored).toMatchObject({
    body: [{ value: '482913' }],
    buttons: [{ index: 0, type: 'OTP', value: '482913' }],
  });
  expect(shown).toEqual({
    body: 'Code 482913',
    buttons: [{ type: 'OTP', text: 'Copy code', value: '482913' }],
  });
});

test('each card has its medium as header, and a text of its own', () => {
  const card = (value: string): Extract<ChatAppParameter, { type: 'CarouselCardParameter' }> => ({
    type: 'CarouselCardParameter',
    cardIndex: value === 'one' ? 0 : 1,
    value: `${url}/${value}`,
    params: [{ type: 'BodyNamedParameter', name: 'shoe', value }],
  });
  const approved = { header: { format: 'IMAGE' }, body: { text: 'Shoe {{shoe}}' }, buttons: [] } as const;
  const { stored, shown } = fill({ carousel: { cards: [approved, approved] } }, [card('two'), card('one')]);
  expect(stored.cards?.[1]).toEqual({
    index: 1,
    header: { format: 'IMAGE', url: `${url}/two` },
    body: [{ name: 'shoe', value: 'two' }],
  });
  expect(shown.cards).toEqual([
    { header: { format: 'IMAGE', url: `${url}/one` }, body: 'Shoe one', buttons: [] },
    { header: { format: 'IMAGE', url: `${url}/two` }, body: 'Shoe two', buttons: [] },
  ]);
});
