/** How many short messages a text becomes, checked against an independent calculator. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { testEvery } from '../for-every-testing.ts';
import { segmentsOf } from './segments.ts';

const seed = Number(process.env.SEED);

testEvery([
  ['nothing is still one message', '', 'GSM-7', 1],
  ['160 septets fit one message', 'a'.repeat(160), 'GSM-7', 1],
  ['161 septets need two parts', 'a'.repeat(161), 'GSM-7', 2],
  ['one septet more', 'a'.repeat(307), 'GSM-7', 3],
  ['the longest text in GSM-7', 'a'.repeat(960), 'GSM-7', 7],
  ['80 extension characters fit one message', '€'.repeat(80), 'GSM-7', 1],
  ['an escape code stays with its character', `${'a'.repeat(152)}€${'a'.repeat(152)}`, 'GSM-7', 3],
  ['the escaped character ends a part', `${'a'.repeat(151)}€${'a'.repeat(153)}`, 'GSM-7', 2],
  ['71 code units need two parts', 'я'.repeat(71), 'UCS-2', 2],
  ['the longest text in UCS-2', 'я'.repeat(960), 'UCS-2', 15],
  ['a surrogate pair stays together', `${'я'.repeat(66)}😀${'я'.repeat(66)}`, 'UCS-2', 3],
  ['a surrogate pair ends a part', `${'я'.repeat(65)}😀${'я'.repeat(67)}`, 'UCS-2', 2],
  ['one other character moves the whole text', `${'a'.repeat(160)}я`, 'UCS-2', 3],
  ['an unpaired surrogate is one unit', '\ud83d'.repeat(70), 'UCS-2', 1],
])('segments: %s', (_rule, text, encoding, segments) => {
  expect(segmentsOf(text)).toEqual({ encoding, segments });
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
