/** What is read from a deliver_sm that a phone sent. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../../platform/for-every-testing.ts';
import { smppSettings } from '../fake-testing.ts';
import { shortMessage } from '../testing.ts';
import { tags } from '../wire/commands.ts';
import { tlvInteger } from '../wire/tlv.ts';
import { readPhoneMessage } from './phone-message.ts';

const read = (fields: Parameters<typeof shortMessage>[0], settings = {}) =>
  readPhoneMessage(shortMessage(fields), smppSettings(settings)).body;
const octets = (hex: string) => Buffer.from(hex, 'hex');
const words = (text: string) => ({ content: { kind: 'text', text } });

testEvery([
  ['GSM-7 with its extension', 0x00, '1b65201b3c6b1b3e', {}, '€ [k]'],
  ['the default alphabet, if that is Latin-1', 0x00, 'e9', { defaultAlphabet: 'latin1' }, 'é'],
  ['ASCII', 0x01, '41', {}, 'A'],
  ['Latin-1', 0x03, 'e9e8', {}, 'éè'],
  ['Cyrillic', 0x06, 'bfe0d8d2d5e2', {}, 'Привет'],
  ['UCS-2', 0x08, '00480061', {}, 'Ha'],
  ['UTF-16 with surrogates', 0x08, 'd83dde00', {}, '😀'],
  ['UTF-16 cut in the middle', 0x08, '0048d83d', {}, 'H\ufffd'],
  ['an odd octet at the end', 0x08, '004800', {}, 'H\ufffd'],
  ['GSM-7 with a message class', 0xf1, '48', {}, 'H'],
  ['UCS-2 with a message class', 0x18, '0048', {}, 'H'],
])('%s', (_what, dataCoding, hex, settings, text) => {
  expect(read({ dataCoding, text: octets(hex) }, settings)).toEqual(words(text));
});

testEvery([
  ['Turkish, both tables', '03250101', '03240101', '07 0b 1b69 1b47', 'ıĞıĞ'],
  ['Turkish letters behind the escape code', '', '03240101', '1b53 1b73 1b65 1b3c', 'Şş€['],
  ['Spanish', '', '03240102', '41 1b41 1b75 1b09 1b65', 'AÁúç€'],
  ['Portuguese', '03250103', '03240103', '0b 5b 1b05 1b7f 1b14 17', 'ÔÃêâ^\\'],
  ['an extension without the code', '', '03240102', '1b42', 'B'],
])('%s', (_what, locking, single, hex, text) => {
  const elements = octets(`${locking.slice(2)}${single.slice(2)}`);
  const coded = Buffer.concat([Buffer.from([elements.length]), elements, octets(hex.replaceAll(' ', ''))]);
  expect(read({ esmClass: 0x40, text: coded })).toEqual(words(text));
});

test('a part says its national tables, wherever they are in its header', () => {
  const text = Buffer.concat([octets('0b240101 0003070201 250101'.replaceAll(' ', '')), Buffer.from('a')]);
  expect(read({ esmClass: 0x40, text })).toEqual({
    part: { reference: 'udh8:7', number: 1, total: 2, coding: 'gsm7:1:1', octets: Buffer.from('a') },
  });
});

test.each([
  ['a locking table', '03250104', { kind: 'other', text: '' }],
  ['a single shift table', '03240104', { kind: 'text', text: 'H\ufffda' }],
])('%s that is unknown is reported, and nothing is put in its place', (_what, header, content) => {
  const unknown: number[] = [];
  const text = Buffer.concat([octets(header), octets('481b4161')]);
  const { body } = readPhoneMessage(shortMessage({ esmClass: 0x40, text }), smppSettings({}), (identifier) =>
    unknown.push(identifier),
  );
  expect([body, unknown]).toEqual([{ content }, [4]]);
});

test('binary is no text', () => {
  expect(read({ dataCoding: 0x04, text: octets('ff00') })).toEqual({ content: { kind: 'other', text: '' } });
  expect(read({ dataCoding: 0xf5, text: octets('ff00') })).toMatchObject({ content: { kind: 'other' } });
});

testEvery([
  ['8 bits', '0500032a0302', 'udh8:42'],
  ['16 bits', '0608041d2a0302', 'udh16:7466'],
  ['16 bits behind another element', '0a0102ffff08041d2a0302', 'udh16:7466'],
])('a part with a reference of %s', (_what, header, reference) => {
  const text = Buffer.concat([octets(header), Buffer.from('Habari')]);
  expect(read({ esmClass: 0x40, text })).toEqual({
    part: { reference, number: 2, total: 3, coding: 'gsm7', octets: Buffer.from('Habari') },
  });
});

test('a part with sar parameters', () => {
  const tlvs = [
    tlvInteger(tags.sarMessageReference, 2, 7),
    tlvInteger(tags.sarTotalSegments, 1, 2),
    tlvInteger(tags.sarSegmentNumber, 1, 1),
  ];
  expect(read({ tlvs })).toMatchObject({ part: { reference: 'sar:7', number: 1, total: 2 } });
});

testEvery([
  ['of one part', '0500032a0101'],
  ['whose number is too high', '0500032a0203'],
  ['whose header ends early', '0500032a'],
  ['whose header has another element only', '0401020000'],
])('a text %s is whole', (_what, header) => {
  expect(read({ esmClass: 0x40, text: octets(header) })).toEqual(words(''));
});

test('message_payload has the text', () => {
  const tlvs = [{ tag: tags.messagePayload, value: Buffer.from('Habari') }];
  expect(read({ text: Buffer.alloc(0), tlvs })).toEqual(words('Habari'));
});

test('the identity is that of everything but the sequence number', () => {
  const identity = (fields: Parameters<typeof shortMessage>[0]) =>
    readPhoneMessage(shortMessage(fields), smppSettings({})).identity;
  expect(identity({})).toBe(
    readPhoneMessage({ ...shortMessage(), sequence: 9 } as never, smppSettings({})).identity,
  );
  const others = [
    { text: Buffer.from('habari') },
    { source: { ton: 1, npi: 1, number: '254711000001' } },
    { tlvs: [tlvInteger(tags.userMessageReference, 2, 1)] },
  ];
  expect(new Set([{}, ...others].map(identity)).size).toBe(4);
});
