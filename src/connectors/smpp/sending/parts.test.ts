/** Texts as parts: what goes over the wire, and that the recipient reads the same text again. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { connectorSettings } from '../../../../generated/connector-settings.ts';
import { testEvery } from '../../../platform/for-every-testing.ts';
import { decodeGsm7, encodeGsm7 } from '../../../platform/text/gsm7.ts';
import { segmentsOf } from '../../../platform/text/segments.ts';
import { type Part, type PartForm, partsOf } from './parts.ts';

const seed = Number(process.env.SEED);
const udh8: PartForm = { concatenation: 'udh8', defaultAlphabet: 'gsm7' };
const sizes = (text: string, form = udh8) => partsOf(text, 7, form).map((part) => part.text.length);

/** What a phone shows: headers off, parts joined. */
function shown(parts: readonly Part[], alphabet = 'gsm7'): string {
  return parts
    .map(({ esmClass, dataCoding, text, tlvs }) => {
      const payload = tlvs.find(({ tag }) => tag === 0x0424)?.value ?? text;
      const octets = esmClass & 0x40 ? payload.subarray((payload[0] ?? 0) + 1) : payload;
      if (dataCoding === 8) return Buffer.from(octets).swap16().toString('utf16le');
      return alphabet === 'gsm7' ? decodeGsm7(octets) : octets.toString('latin1');
    })
    .join('');
}

describe('parts', () => {
  testEvery([
    ['160 septets go as they are', 'a'.repeat(160), [160]],
    ['161 septets have headers', 'a'.repeat(161), [159, 14]],
    ['an escape pair is not split', `${'a'.repeat(152)}€${'a'.repeat(152)}`, [158, 159, 7]],
    ['a surrogate pair is not split', `${'я'.repeat(66)}😀${'я'.repeat(66)}`, [138, 140, 8]],
    ['nothing is still one part', '', [0]],
  ])('%s', (_rule, text, octets) => {
    expect(sizes(text)).toEqual(octets);
  });

  testEvery([
    ['udh8', 0x1234, '050003340202', 0x40, []],
    ['udh16', 0x1234, '06080412340202', 0x40, []],
    ['sar', 0x1234, '', 0, ['020c=0034', '020e=02', '020f=02']],
  ] as const)('%s names the second of two parts', (concatenation, reference, header, esmClass, tlvs) => {
    const [, second] = partsOf('a'.repeat(200), reference, { ...udh8, concatenation });
    const found = second?.tlvs.map(
      ({ tag, value }) => `${tag.toString(16).padStart(4, '0')}=${value.toString('hex')}`,
    );
    expect(second).toMatchObject({ esmClass, dataCoding: 0 });
    expect(second?.text.toString('hex')).toMatch(new RegExp(`^${header}(61)+$`));
    expect(found).toEqual(tlvs);
  });

  test('a flash SMS says so in the data_coding of each part', () => {
    const codings = (text: string) =>
      partsOf(text, 7, { ...udh8, isFlash: true }).map((part) => part.dataCoding);
    expect([codings('a'.repeat(161)), codings('Привет')]).toEqual([[0xf0, 0xf0], [0x18]]);
  });

  test('messagePayload leaves the splitting to the SMSC', () => {
    const form: PartForm = { ...udh8, concatenation: 'messagePayload' };
    const [part, ...more] = partsOf('a'.repeat(200), 7, form);
    expect(more).toEqual([]);
    expect(part).toMatchObject({
      text: Buffer.alloc(0),
      tlvs: [{ tag: 0x0424, value: Buffer.alloc(200, 'a') }],
    });
    expect(partsOf('short', 7, form)).toMatchObject([{ text: Buffer.from('short'), tlvs: [] }]);
  });

  test.each([
    ['Latin-1 as it is', 'à é', { dataCoding: 0, text: Buffer.from([0xe0, 0x20, 0xe9]) }],
    ['a euro sign needs UCS-2', '€', { dataCoding: 8, text: Buffer.from([0x20, 0xac]) }],
  ])('an SMSC with a Latin-1 alphabet: %s', (_rule, text, part) => {
    expect(partsOf(text, 7, { ...udh8, defaultAlphabet: 'latin1' })).toMatchObject([part]);
  });
});

describe('any text', () => {
  const gsm = fc.constantFrom(...'abc XYZ019@£$éùÇØåΔΩß!?¿ñà\n\f^{}\\[~]|€');
  const anyText = fc.oneof(
    fc.string({ unit: gsm, maxLength: 700 }),
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.string({ unit: fc.oneof(gsm, fc.constantFrom(...'яЖ😀🚀')), maxLength: 700 }),
  );

  test('arrives as it was, in parts that fit and name each other', () => {
    const forms = fc.record({
      concatenation: fc.constantFrom(...connectorSettings.smpp.properties.concatenation.enum),
      defaultAlphabet: fc.constantFrom('gsm7' as const, 'latin1' as const),
    });
    const arrives = fc.property(anyText, forms, fc.nat(0xffff), (text, form, reference) => {
      const parts = partsOf(text, reference, form);
      expect(shown(parts, form.defaultAlphabet)).toBe(text);
      if (form.concatenation === 'messagePayload') return;
      for (const { dataCoding, text: octets, tlvs } of parts) {
        const header = tlvs.length > 0 ? 6 : 0;
        // Seven septets take the room of six octets and a fill bit.
        const inHeader = octets[0] === 5 || octets[0] === 6 ? (octets[0] ?? 0) + 1 : 0;
        const septets = dataCoding === 0 && form.defaultAlphabet === 'gsm7';
        const size = septets ? Math.ceil(((octets.length - inHeader) * 7) / 8) + inHeader : octets.length;
        if (septets || dataCoding === 8) expect(size + header).toBeLessThanOrEqual(140);
      }
    });
    fc.assert(arrives, { numRuns: 500, seed });
  });

  test('has the encoding and the number of parts of an independent calculator', () => {
    // The calculator also keeps combined characters together, which networks do not.
    const alone = fc.string({
      unit: fc.oneof(gsm, fc.constantFrom(...'яЖçô`’中文ሀ😀🚀🎉𝄞')),
      maxLength: 800,
    });
    const agrees = fc.property(alone, (text) => {
      const oracle = new SegmentedMessage(text);
      const parts = partsOf(text, 7, udh8);
      expect(parts).toHaveLength(oracle.segmentsCount);
      expect(parts).toHaveLength(segmentsOf(text).segments);
      expect(parts[0]?.dataCoding).toBe(oracle.encodingName === 'GSM-7' ? 0 : 8);
    });
    fc.assert(agrees, { numRuns: 300, seed });
  });
});

describe('GSM-7', () => {
  test('codes are those of TS 23.038', () => {
    expect(encodeGsm7('@Δ Ñà[€')).toEqual(Buffer.from([0, 0x10, 0x20, 0x5d, 0x7f, 0x1b, 0x3c, 0x1b, 0x65]));
  });
  test('characters that it lacks become question marks', () => {
    expect(decodeGsm7(encodeGsm7('aяb'))).toBe('a?b');
  });
});
