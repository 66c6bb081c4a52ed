/** Which JSON texts are rejected before they are parsed, and which escapes cannot be stored. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../../platform/for-every-testing.ts';
import { requireBounded, requireStorableEscapes } from './json-text.ts';

const seed = Number(process.env.SEED);
const list = (item: string, count: number) => `[${Array(count).fill(item).join(',')}]`;
const object = (properties: number) =>
  `{${Array.from({ length: properties }, (_, index) => `"${index}":1`).join(',')}}`;

describe('bounds', () => {
  testEvery([
    ['20 levels', '['.repeat(20) + ']'.repeat(20)],
    ['as many numbers or texts as a body has room for', `[${list('1', 200_000)},${list('"1"', 200_000)}]`],
    ['99,999 objects', list('{}', 99_999)],
    ['1,000 properties, again and again', list(object(1_000), 90)],
    ['brackets, braces and colons in texts', JSON.stringify('[{:'.repeat(100_000))],
    ['quotes in texts', JSON.stringify({ a: '"[{:'.repeat(60_000) })],
    ['closing brackets without opening ones, which JSON.parse rejects', ']'.repeat(1_000)],
  ])('%s', (_case, text) => {
    expect(() => requireBounded(text)).not.toThrow();
  });

  testEvery([
    ['21 levels', '['.repeat(21), 'The request body is nested deeper than 20 levels.'],
    [
      '100,001 objects',
      list('{}', 100_000),
      'The request body has more than 100000 objects, lists and properties.',
    ],
    ['1,001 properties', object(1_001), 'An object of the request body has more than 1000 properties.'],
    [
      '1,001 properties around another object',
      object(1_001).replace('"500":1', '"500":{"a":1}'),
      'An object of the request body has more than 1000 properties.',
    ],
  ])('%s exceed a limit', (_case, text, desc) => {
    expect(() => requireBounded(text)).toThrow(desc);
  });
});

describe('escapes', () => {
  const cannotBeStored = (value: unknown): boolean => {
    if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed();
    if (value === null || typeof value !== 'object') return false;
    return Object.entries(value).some((entry) => entry.some(cannotBeStored));
  };
  const refuses = (text: string): boolean => {
    try {
      requireStorableEscapes(text);
      return false;
    } catch {
      return true;
    }
  };

  test(`are judged as a walk through the parsed body does (SEED=${seed})`, () => {
    const piece = fc.constantFrom(
      '\\\\',
      '\\"',
      '\\u0000',
      '\\ud83d',
      '\\ude00',
      '\\uDBFF',
      '\\u0041',
      '\\n',
      'u',
      '😀',
      'd83d',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        for (const written of [`["${text}"]`, `{"${text}":1}`])
          expect(refuses(written)).toBe(cannotBeStored(JSON.parse(written)));
      }),
      { seed, numRuns: 2_000 },
    );
  });
});
