/** The optional parameters of a message: values, placeholders, and settings that are refused. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../../platform/for-every-testing.ts';
import { checkSettings } from '../../runtime/settings.ts';
import { smppSettings } from '../fake-testing.ts';
import { smppKind } from '../open.ts';
import type { SmppSettings } from '../settings.ts';
import { parametersOf } from './parameters.ts';

const message = { id: '7', sender: 'TARISHI', registrations: { entityId: '1101', templateId: '1107' } };
const written = (settings: Partial<SmppSettings>, one: typeof message | object = {}) =>
  parametersOf({ ...message, ...one }, smppSettings(settings).parameters).map(({ tag, value }) => [
    tag.toString(16),
    value.toString('latin1'),
  ]);

test('have their values as text, as octets or as a number', () => {
  const parameters = {
    '0x1400': { value: '{registration.entityId}/{messageId}/{sender}' },
    '0x1403': { format: 'hex', value: '00fF' },
    '0x1404': { format: 'integer', value: '255' },
    '0x1405': { format: 'integer', value: '256' },
    '0x1406': { format: 'integer', value: '65536' },
  } as unknown as SmppSettings['parameters'];
  expect(written({ parameters })).toEqual([
    ['1400', '1101/7/TARISHI'],
    ['1403', '\0\xff'],
    ['1404', '\xff'],
    ['1405', '\x01\0'],
    ['1406', '\0\x01\0\0'],
  ]);
});

test('of India name the sender and the text; without its registration a parameter is left out', () => {
  expect(written({ preset: 'india' })).toEqual([
    ['1400', '1101'],
    ['1401', '1107'],
  ]);
  expect(written({ preset: 'india' }, { registrations: { telemarketers: 'a,b' } })).toEqual([
    ['1402', 'a,b'],
  ]);
  expect(written({ preset: 'india' }, { registrations: {} })).toEqual([]);
});

testEvery<[settings: object, sentence: string]>([
  [
    { parameters: { '0x0424': { value: 'x' } } },
    'setting "parameters.0x0424" is a parameter that the connector writes itself',
  ],
  [
    { parameters: { '0x1400': { format: 'hex', value: '0' } } },
    'setting "parameters.0x1400" must have two hexadecimal digits for each octet',
  ],
  [
    { parameters: { '0x1400': { format: 'integer', value: '4294967296' } } },
    'setting "parameters.0x1400" must be a number from 0 to 4294967295',
  ],
  [{ parameters: { '5120': { value: 'x' } } }, 'setting "parameters.5120" is not a tag such as 0x1400'],
  [{ reportTags: { '1411': 'mccMnc' } }, 'setting "reportTags.1411" is not a tag such as 0x1400'],
  [
    { parameters: { '0x14ab': { value: 'x' }, '0x14AB': { value: 'y' } } },
    'setting "parameters.0x14AB" is there twice',
  ],
])('%j: %s', (settings, sentence) => {
  const all = { host: 'smsc', systemId: 'a', ...settings };
  expect(() => checkSettings(smppKind, all as never)).toThrow(sentence);
});
