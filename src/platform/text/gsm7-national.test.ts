/** The national tables, checked against those of npm's `smpp`. */
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { testEvery } from '../for-every-testing.ts';
import { decodeGsm7 } from './gsm7.ts';

interface Coder {
  chars: string;
  extChars?: string;
  extCharsDec?: string;
  escChars?: string;
  escCharsDec?: string;
}
const { gsmCoder }: { gsmCoder: { getCoder: (identifier: number) => Coder } } = createRequire(
  import.meta.url,
)('smpp/lib/defs.js');

testEvery([
  ['Turkish', 1, 1],
  // It has no alphabet of its own.
  ['Spanish', 2, 0],
  ['Portuguese', 3, 3],
])('%s', (_language, identifier, locking) => {
  const { chars, extChars = '', escChars = '', ...decoding } = gsmCoder.getCoder(identifier);
  const { extCharsDec = extChars, escCharsDec = escChars } = decoding;
  const tables = { locking, single: identifier };
  const alphabet = [...chars].map((character, code) => [code, code === 0x1b ? '' : character]);
  expect([...chars].map((_character, code) => [code, decodeGsm7([code], tables)])).toEqual(alphabet);
  // Some of theirs are there twice, once with a space or without a code.
  const extended = [...extCharsDec].flatMap((character, place) => {
    const code = chars.indexOf(escCharsDec[place] ?? '');
    return character === ' ' || code < 0 ? [] : [[code, character] as const];
  });
  expect(extended.length).toBeGreaterThan(15);
  expect(extended.map(([code]) => [code, decodeGsm7([0x1b, code], tables)])).toEqual(extended);
});

test('what no known table has is not mistaken for something else', () => {
  const septets = Buffer.from('Ha\u001be', 'latin1');
  expect(decodeGsm7(septets, { locking: 4, single: 4 })).toBe('���');
  expect(decodeGsm7(septets, { locking: 0, single: 4 })).toBe('Ha�');
});
