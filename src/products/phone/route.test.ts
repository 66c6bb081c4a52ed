/** Valid and invalid numbers, which channel takes them, and repeated numbers. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../../platform/for-every-testing.ts';
import { type Channel, channelFinder } from './channels.ts';
import { type Audience, parseRecipients, routeRecipients } from './route.ts';
import { channels, parsePhone } from './testing.ts';

const to = (audience: 'each' | 'many', written: string[]): Audience<string> => ({
  audience,
  recipients: written.map((one, index) => ({ written: one, content: `content ${index}` })),
});
const route = (audience: 'each' | 'many', ...written: string[]) =>
  routeRecipients(to(audience, written), parsePhone, channels);
const parse = (audience: 'each' | 'many', ...written: string[]) =>
  parseRecipients(to(audience, written), parsePhone);

describe.each(['each', 'many'] as const)('invalid numbers, to %s', (audience) => {
  testEvery<[string, string[], string]>([
    ['one', ['0711', 'bad'], 'Invalid phone numbers: bad'],
    ['all of them, in order, as written', ['x', '0711', ' y ', 'z'], 'Invalid phone numbers: x,  y , z'],
    ['once each', ['x', 'y', 'x'], 'Invalid phone numbers: x, y'],
    ['an empty one', ['', 'x', ''], 'Invalid phone numbers: "", x'],
    ['before those without a channel, alone', ['+999', 'x'], 'Invalid phone numbers: x'],
  ])('%s', (_rule, written, desc) => {
    const refusal = expect.objectContaining({ status: 400, desc });
    expect(() => route(audience, ...written)).toThrow(refusal);
    expect(() => parse(audience, ...written)).toThrow(refusal);
  });

  test.each<[string, string[], string]>([
    ['without a channel', ['0711', '+999'], 'No channel for phone numbers: +999'],
    [
      'all without a channel, in order, as written, once each',
      ['+999', '0911', '0711', '+999'],
      'No channel for phone numbers: +999, 0911',
    ],
  ])('%s', (_rule, written, desc) => {
    expect(() => route(audience, ...written)).toThrow(expect.objectContaining({ status: 400, desc }));
  });
});

test('each number goes to its channel, and keeps what the client wrote', () => {
  expect(route('each', '0711', '+254733')).toEqual([
    { written: '0711', phone: '+254711', position: 0, channel: 'Safaricom', content: 'content 0' },
    { written: '+254733', phone: '+254733', position: 1, channel: 'Airtel', content: 'content 1' },
  ]);
});

test('without channels numbers of any country are valid', () => {
  expect(parse('each', '+999')).toEqual([
    { written: '+999', phone: '+999', position: 0, content: 'content 0' },
  ]);
});

test('the same number twice is one recipient of a ToMany, in whatever format', () => {
  expect(route('many', '0711', '+254711', '0722').map(({ written }) => written)).toEqual(['0711', '0722']);
  expect(parse('many', '0711', '+254711', '+999').map(({ written }) => written)).toEqual(['0711', '+999']);
});

test('in a ToEach every entry is a message', () => {
  expect(route('each', '0711', '+254711', '0711')).toHaveLength(3);
  expect(parse('each', '0711', '+254711', '0711')).toHaveLength(3);
});

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
  fc.assert(agrees, { numRuns: 1_000, seed: Number(process.env.SEED) });
});
