/** What a text costs. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../for-every-testing.ts';
import { codePoints } from './code-points.ts';
import { unitsOf } from './units.ts';

const seed = Number(process.env.SEED);

testEvery([
  ['nothing costs one unit', '', 1],
  ['160 characters', 'a'.repeat(160), 1],
  ['161 characters', 'a'.repeat(161), 2],
  ['960 characters', 'a'.repeat(960), 6],
  ['an emoji is one character', '😀'.repeat(160), 1],
  ['161 emoji', '😀'.repeat(161), 2],
  ['characters of two septets cost no more', '€'.repeat(160), 1],
  ['a family joined of five code points', '👩‍👩‍👦'.repeat(32), 1],
])('units: %s', (_rule, text, units) => {
  expect(unitsOf(text)).toBe(units);
});

test('code points are counted as iteration over a string counts them, unpaired surrogates included', () => {
  const codeUnits = fc.array(fc.oneof(fc.nat({ max: 0xffff }), fc.integer({ min: 0xd800, max: 0xdfff })));
  const agrees = fc.property(codeUnits, (units) => {
    const text = String.fromCharCode(...units);
    expect(codePoints(text)).toBe([...text].length);
  });
  fc.assert(agrees, { numRuns: 2_000, seed });
});
