/** The rules on chat-app templates before they are filled. */
import { describe, expect } from '@jest/globals';
import { chatAppTemplates, otherChatAppTemplates } from '../../../demo/chatapp-templates.ts';
import { testEvery } from '../../../platform/for-every-testing.ts';
import { type Definition, faultsOfDefinition, parameterFormatOf } from './definition.ts';
import type { Button } from './template.ts';

const definition = (parts: Partial<Definition> = {}): Definition => ({
  category: 'UTILITY',
  body: { text: 'Habari' },
  buttons: [],
  ...parts,
});
const link = (url: string): Button => ({ type: 'URL', text: 'Look', url });
const otp: Button = { type: 'OTP', text: 'Copy' };
const offer = { text: 'A quarter off', hasExpiration: false };
const card = (text: string, ...buttons: Button[]) => ({
  header: { format: 'IMAGE' } as const,
  body: { text },
  buttons,
});

describe('a template is accepted', () => {
  testEvery<[string, Partial<Definition>]>([
    ['with a body of 1024 characters, however wide', { body: { text: '😀'.repeat(1024) } }],
    [
      'with names in the body and a number in an address',
      {
        body: { text: '{{name}}' },
        buttons: [link('https://shop.example/{{1}}')],
      },
    ],
  ])('%s', (_rule, parts) => {
    expect(faultsOfDefinition(definition(parts))).toEqual([]);
  });

  testEvery([...Object.values(chatAppTemplates), ...otherChatAppTemplates].map((entry) => entry.template))(
    'such as $id of the demo',
    (template) => {
      const { parameterFormat = 'NAMED', ...parts }: Partial<Definition> & { parameterFormat?: string } =
        template;
      expect(faultsOfDefinition(definition(parts))).toEqual([]);
      expect(parameterFormatOf(definition(parts))).toBe(parameterFormat);
    },
  );
});

describe('a template is rejected', () => {
  const braces = 'has braces that are no placeholder such as {{name}} or {{1}}';
  const atEnd = 'the url of button 0 may have one placeholder, at its end';
  const mixed = 'placeholders are all numbers or all names, in header, body and cards';
  testEvery<[string, Partial<Definition>, string[]]>([
    ['with an empty body', { body: { text: ' \n' } }, ['the body is empty']],
    [
      'with a body of 1025 characters',
      { body: { text: 'a'.repeat(1025) } },
      ['the body has 1025 characters, more than 1024'],
    ],
    [
      'with a header of 61 characters',
      { header: { format: 'TEXT', text: 'a'.repeat(61) } },
      ['the header has 61 characters, more than 60'],
    ],
    [
      'with a card body of 161 characters',
      { carousel: { cards: [card('a'), card('a'.repeat(161))] } },
      ['the body of card 1 has 161 characters, more than 160'],
    ],
    ['with spaces in a placeholder', { body: { text: '{{ name }}' } }, [`the body ${braces}`]],
    ['with a placeholder in its footer', { footer: { text: '{{x}}' } }, ['the footer takes no placeholder']],
    [
      'with a placeholder in the text of a button',
      { buttons: [{ type: 'QUICK_REPLY', text: '{{x}}' }] },
      ['the text of button 0 takes no placeholder'],
    ],
    ['with a name and a number in one text', { body: { text: '{{name}} {{1}}' } }, [mixed]],
    [
      'with a name in the body and a number in a card',
      { body: { text: '{{name}}' }, carousel: { cards: [card('{{1}}')] } },
      [mixed],
    ],
    [
      'with a gap in its numbers',
      { body: { text: '{{1}} {{3}}' } },
      ['the placeholders of the body must be numbered from {{1}} without a gap'],
    ],
    [
      'with a number written in two digits',
      { body: { text: '{{01}}' } },
      ['the placeholders of the body must be numbered from {{1}} without a gap'],
    ],
    [
      'with an invalid address',
      { buttons: [link('shop.example/{{1}}')] },
      ['the url of button 0 must be an absolute http or https URL'],
    ],
    ['with a placeholder inside an address', { buttons: [link('https://shop.example/{{1}}/x')] }, [atEnd]],
    [
      'with one placeholder twice in an address',
      { buttons: [link('https://shop.example/{{1}}{{1}}')] },
      [atEnd],
    ],
    [
      'with an OTP button, for another category',
      { buttons: [otp] },
      ['an OTP button is only for templates of category AUTHENTICATION'],
    ],
    [
      'with an OTP button in a card, which no request could fill',
      { carousel: { cards: [card('a', otp)] } },
      ['card 0 takes no OTP button'],
    ],
    [
      'with an offer, for another category',
      { limitedTimeOffer: offer },
      ['a limited-time offer is only for templates of category MARKETING'],
    ],
    [
      'for all its faults',
      {
        body: { text: '' },
        footer: { text: '' },
        carousel: { cards: [card('{{2}}', link('x'))] },
      },
      [
        'the body is empty',
        'the footer is empty',
        'the url of button 0 of card 0 must be an absolute http or https URL',
        'the placeholders of the body of card 0 must be numbered from {{1}} without a gap',
      ],
    ],
  ])('%s', (_rule, parts, faults) => {
    expect(faultsOfDefinition(definition(parts))).toEqual(faults);
  });
});
