/** The shape of a written chat-app template: what is read, and every fault of what is not. */
import { describe, expect, test } from '@jest/globals';
import { UsageError } from '../line/command.ts';
import { parseTemplate } from './chatapp-template-file.ts';

const body = { text: 'Habari' };
const types = 'URL, QUICK_REPLY, COPY_CODE, OTP, PHONE_NUMBER';

describe('is read', () => {
  test('with a body only', () => {
    expect(parseTemplate({ body })).toEqual({ body, buttons: [] });
  });

  test('with everything', () => {
    const whole = {
      header: { format: 'TEXT', text: 'Duka' },
      body,
      footer: { text: 'Bye' },
      buttons: [
        { type: 'URL', text: 'Look', url: 'https://shop.example' },
        { type: 'QUICK_REPLY', text: 'No' },
      ],
      limitedTimeOffer: { text: 'A quarter off', hasExpiration: true },
      carousel: { cards: [{ header: { format: 'IMAGE' }, buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }] }] },
    };
    expect(parseTemplate(whole)).toEqual(whole);
  });

  test('with cards that have no buttons', () => {
    const header = { format: 'VIDEO' };
    expect(parseTemplate({ body, carousel: { cards: [{ header }] } })).toMatchObject({
      carousel: { cards: [{ header, buttons: [] }] },
    });
  });
});

describe('is refused', () => {
  const faultsOf = (value: unknown) => {
    try {
      return parseTemplate(value);
    } catch (error) {
      return error instanceof UsageError ? error.faults : error;
    }
  };

  test.each<[string, unknown, string[]]>([
    ['a list', [], ['the template must be object']],
    ['without a body', {}, ['body is missing']],
    ['with an unknown property', { body, offer: {} }, ['offer is not a known property']],
    ['with a text header without text', { body, header: { format: 'TEXT' } }, ['header.text is missing']],
    [
      'with both text and media',
      { body, header: { format: 'IMAGE', text: 'x' } },
      ['header.text is not a known property'],
    ],
    [
      'with a header of another format',
      { body, header: { format: 'AUDIO' } },
      ['header.format must be one of TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION'],
    ],
    ['with a button without a type', { body, buttons: [{}] }, [`buttons.0.type must be one of ${types}`]],
    [
      'with a URL button without a URL',
      { body, buttons: [{ type: 'URL', text: 'Look' }] },
      ['buttons.0.url is missing'],
    ],
    [
      'with a URL on another button',
      { body, buttons: [{ type: 'OTP', text: 'Copy', url: 'https://shop.example' }] },
      ['buttons.0.url is not a known property'],
    ],
    [
      'with an OTP button in a card',
      {
        body,
        carousel: { cards: [{ header: { format: 'IMAGE' }, buttons: [{ type: 'OTP', text: 'Copy' }] }] },
      },
      ['carousel.cards.0.buttons.0.type must be one of URL, QUICK_REPLY, COPY_CODE, PHONE_NUMBER'],
    ],
    [
      'for all its faults',
      { body: 'Habari', footer: {}, buttons: [{ type: 'CALL' }], carousel: { cards: [{}] } },
      [
        'body must be object',
        'footer.text is missing',
        `buttons.0.type must be one of ${types}`,
        'carousel.cards.0.header is missing',
      ],
    ],
  ])('%s', (_rule, value, faults) => {
    expect(faultsOf(value)).toEqual(faults);
  });
});
