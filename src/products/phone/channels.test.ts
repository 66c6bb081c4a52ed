/** Which channel takes a number. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Channel, channelFinder } from './channels.ts';

const seed = Number(process.env.SEED);
const channel = (name: string, ...prefixes: string[]): Channel => ({
  name,
  prefixes,
  connector: 'simulator',
});

test('the first of two channels keeps a shared prefix', () => {
  const find = channelFinder([channel('First', '25470'), channel('Second', '25470')]);
  expect(find('+254700000000')?.name).toBe('First');
});

test('the longest prefix wins: the look-up finds what a scan over all of them finds', () => {
  const digits = fc.string({ unit: fc.constantFrom('1', '2', '3'), minLength: 1, maxLength: 5 });
  const list = fc.uniqueArray(digits, { maxLength: 30 });
  const agrees = fc.property(list, digits, (prefixes, number) => {
    const channels = prefixes.map((prefix) => channel(prefix, prefix));
    const [longest] = prefixes
      .filter((prefix) => number.startsWith(prefix))
      .sort((a, b) => b.length - a.length);
    expect(channelFinder(channels)(`+${number}`)?.name).toBe(longest);
  });
  fc.assert(agrees, { numRuns: 1_000, seed });
});
