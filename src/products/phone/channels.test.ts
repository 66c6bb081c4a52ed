/** Which channel takes a number. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Channel, channelFinder } from './channels.ts';

const seed = Number(process.env.SEED);
const channel = (name: string, ...prefixes: string[]): Channel => ({
  name,
  prefixes,
  connector: 'simulator',
});

describe('the longest prefix wins', () => {
  const find = channelFinder([
    channel('Safaricom', '25470', '25471', '25474', '254757', '25411'),
    channel('Airtel', '25473', '254750', '25410'),
    channel('Equitel', '254744', '254747'),
  ]);
  testEvery([
    ['a prefix of five digits', '+254711000000', 'Safaricom'],
    ['a longer prefix of another channel inside it', '+254744000000', 'Equitel'],
    ['a range that number metadata does not know', '+254109000000', 'Airtel'],
    ['no channel has the prefix', '+254777000000', undefined],
    ['the digits of a prefix further back', '+999254711000', undefined],
  ])('%s', (_rule, e164, name) => {
    expect(find(e164)?.name).toBe(name);
  });
});

describe('the list of channels', () => {
  testEvery<[string, Channel[], string | undefined]>([
    [
      'the first of two channels keeps a shared prefix',
      [channel('First', '25470'), channel('Second', '25470')],
      'First',
    ],
    ['a prefix as long as the number', [channel('Own', '254700000000')], 'Own'],
    ['a prefix longer than the number', [channel('Longer', '2547000000001')], undefined],
  ])('%s', (_rule, channels, name) => {
    expect(channelFinder(channels)('+254700000000')?.name).toBe(name);
  });
});

test('the look-up finds what a scan over all prefixes finds', () => {
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
