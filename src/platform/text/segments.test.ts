/** How many short messages a text becomes, checked against an independent calculator. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { testEvery } from '../for-every-testing.ts';
import { segmentsOf } from './segments.ts';

const seed = Number(process.env.SEED);

describe('segments', () => {
  testEvery([
    ['nothing is still one message', '', 'GSM-7', 1],
    ['160 septets fit one message', 'a'.repeat(160), 'GSM-7', 1],
    ['161 septets need two parts', 'a'.repeat(161), 'GSM-7', 2],
    ['two full parts', 'a'.repeat(306), 'GSM-7', 2],
    ['one septet more', 'a'.repeat(307), 'GSM-7', 3],
    ['the longest text in GSM-7', 'a'.repeat(960), 'GSM-7', 7],
    ['80 extension characters fit one message', '€'.repeat(80), 'GSM-7', 1],
    ['81 extension characters', '€'.repeat(81), 'GSM-7', 2],
    ['an escape code stays with its character', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 3],
    ['the escaped character ends a part', `${'a'.repeat(151)}€${'a'.repeat(153)}`, 'GSM-7', 2],
    ['70 code units fit one message', 'я'.repeat(70), 'UCS-2', 1],
    ['71 code units need two parts', 'я'.repeat(71), 'UCS-2', 2],
    ['one code unit over two full parts', 'я'.repeat(135), 'UCS-2', 3],
    ['the longest text in UCS-2', 'я'.repeat(960), 'UCS-2', 15],
    ['35 emoji fit one message', '😀'.repeat(35), 'UCS-2', 1],
    ['a surrogate pair stays together', `${'я'.repeat(66)}😀${'я'.repeat(66)}`, 'UCS-2', 3],
    ['a surrogate pair ends a part', `${'я'.repeat(65)}😀${'я'.repeat(67)}`, 'UCS-2', 2],
    ['one other character moves the whole text', `${'a'.repeat(160)}я`, 'UCS-2', 3],
    ['an extension character costs one unit in UCS-2', `${'€'.repeat(69)}я`, 'UCS-2', 1],
    ['an unpaired surrogate is one unit', '\ud83d'.repeat(70), 'UCS-2', 1],
  ])('%s', (_rule, text, encoding, segments) => {
    expect(segmentsOf(text)).toEqual({ encoding, segments });
  });
});

describe('the alphabet', () => {
  testEvery([
    ['the capital C with cedilla is in GSM-7', 'Ç', 'GSM-7'],
    ['the lowercase one is not', 'ç', 'UCS-2'],
    ['the backtick is not', '`', 'UCS-2'],
    ['the tab is not', '\t', 'UCS-2'],
    ['the no-break space is not', '\u00a0', 'UCS-2'],
    ['a Greek capital that looks like a Latin one is not', 'Α', 'UCS-2'],
    ['the curly apostrophe is not', '’', 'UCS-2'],
    ['the escape code itself is not a character', '\u001b', 'UCS-2'],
    ['line breaks are', '\r\n', 'GSM-7'],
    ['the form feed is', '\f', 'GSM-7'],
  ])('%s', (_rule, text, encoding) => {
    expect(segmentsOf(text).encoding).toBe(encoding);
  });

  test('every character up to U+25FF, and each 97th above, has the encoding of the oracle', () => {
    const differs: string[] = [];
    for (let code = 0; code <= 0xffff; code += code < 0x2600 ? 1 : 97) {
      const character = String.fromCharCode(code);
      if (segmentsOf(character).encoding !== new SegmentedMessage(character).encodingName)
        differs.push(character);
    }
    expect(differs).toEqual([]);
  });
});

describe('against the oracle', () => {
  // The oracle also keeps combined characters together, which networks do not: these combine with nothing.
  const gsm = fc.constantFrom(...'abc XYZ019@£$éùÇØåΔΩß!?¿ñà\n');
  const extension = fc.constantFrom(...'\f^{}\\[~]|€');
  const bmp = fc.constantFrom(...'яЖçô`’中文ሀ');
  const emoji = fc.constantFrom(...'😀🚀🎉𝄞');
  test.each([
    ['GSM-7 texts', fc.oneof({ weight: 5, arbitrary: gsm }, extension), 'GSM-7'],
    ['UCS-2 texts', fc.oneof({ weight: 3, arbitrary: gsm }, extension, bmp, emoji), 'UCS-2'],
  ])('%s have its encoding and number of segments', (_rule, unit, encoding) => {
    const runs = fc.array(fc.tuple(unit, fc.integer({ min: 1, max: 160 })), { minLength: 1, maxLength: 12 });
    let seen = 0;
    const agrees = fc.property(runs, (list) => {
      const text = list
        .map(([character, times]) => character.repeat(times))
        .join('')
        .slice(0, 2_000);
      const oracle = new SegmentedMessage(text);
      if (oracle.encodingName === encoding) seen += 1;
      expect(segmentsOf(text)).toEqual({ encoding: oracle.encodingName, segments: oracle.segmentsCount });
    });
    fc.assert(agrees, { numRuns: 300, seed });
    expect(seen).toBeGreaterThan(100);
  });
});
