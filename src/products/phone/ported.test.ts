/** The table of ported numbers finds what a Map finds, however it was put together; lines are read by their columns. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Channel, portedOrPrefixed } from './channels.ts';
import {
  channelOf,
  createPacking,
  decoded,
  encoded,
  merged,
  noNumbers,
  packed,
  sortedNumbers,
} from './ported.ts';
import { formatOf, readLine } from './ported-lines.ts';
import { parsePhone } from './testing.ts';

const seed = Number(process.env.SEED);

test('merged, stored and loaded, it finds what the last row of each number says', () => {
  // Close together and far apart: a guess where a number lies is often wrong.
  const far = [1, 254_000_000_000, 999_999_999_999_999];
  const near = fc.integer({ min: 254_700_000_000, max: 254_700_000_300 });
  const even = fc.integer({ min: 254_700_000_000, max: 254_700_200_000 });
  const row = fc.tuple(
    fc.oneof({ weight: 9, arbitrary: near }, { weight: 9, arbitrary: even }, fc.constantFrom(...far)),
    fc.nat({ max: 999 }),
  );
  const agrees = fc.property(fc.array(fc.array(row, { maxLength: 200 }), { maxLength: 6 }), (parts) => {
    const whole = parts.map(sortedNumbers).reduce(merged, noNumbers);
    const packing = createPacking(whole.numbers.length);
    const half = whole.numbers.length >> 1;
    const cut = (from: number, to: number) =>
      encoded({ numbers: whole.numbers.subarray(from, to), channels: whole.channels.subarray(from, to) });
    for (const octets of [cut(0, half), cut(half, whole.numbers.length)]) packing.add(decoded(octets));
    const loaded = packing.packed();
    const expected = new Map(parts.flat());
    expect(loaded.channels).toHaveLength(expected.size);
    const asked = Array.from({ length: 303 }, (_, place) => 254_699_999_999 + place);
    for (const number of [...far, ...asked, ...expected.keys()])
      expect(channelOf(loaded, `+${number}`)).toBe(expected.get(number));
  });
  fc.assert(agrees, { numRuns: 200, seed });
});

test('a number that moved has its present channel; in one that is not in use, none', () => {
  const channels: Channel[] = [
    { name: 'Safaricom', prefixes: ['25471'], connector: 'a' },
    { name: 'Airtel', prefixes: ['25473'], connector: 'b' },
  ];
  const table = packed(
    sortedNumbers([
      [254_711_000_001, 1],
      [254_711_000_002, 2],
      [255_711_000_003, 0],
    ]),
  );
  const find = portedOrPrefixed(channels, { ...table, names: ['Safaricom', 'Airtel', 'Gone'] });
  expect(
    ['+254711000000', '+254711000001', '+254711000002', '+255711000003'].map((phone) => find(phone)?.name),
  ).toEqual(['Safaricom', 'Airtel', undefined, 'Safaricom']);
});

describe('a line', () => {
  testEvery([
    ['number,recipientRC,donorRC', '0711,63902,63903', { number: 254_711, network: '63902' }],
    ['"operatorCode";"number"', '"63902";"+254711"', { number: 254_711, network: '63902' }],
    ['recipientRC\tnumber', '63902\t+254711', { number: 254_711, network: '63902' }],
    ['\ufeffnumber|recipientRC', '711|63902', { number: 254_711, network: '63902' }],
    ['number,recipientRC', 'none,63902', undefined],
    ['number,recipientRC', '0711', { number: 254_711, network: '' }],
  ] as const)('%s: %s', (header, line, read) => {
    const channel = header.includes('operatorCode') ? 'operatorCode' : 'recipientRC';
    expect(readLine(line, formatOf(header, { number: 'number', channel }), parsePhone)).toEqual(read);
  });

  test('a column that the first line does not name', () => {
    expect(() => formatOf('a,b', { number: 'number', channel: 'b' })).toThrow(
      'the first line has no column "number"; it has a, b',
    );
  });
});
