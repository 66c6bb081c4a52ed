/** The check of patterns says which are slow, and where. */
import { describe, expect, test } from '@jest/globals';
import { judge, judgeBuilt } from './judge.ts';

const slow = 'a*a*b';
const anywhere = { line: 1, file: 'a.ts', flags: '' };

describe('the verdict', () => {
  test.each(['^a+$', 'a+', '^(?:a|b)*$', '(?<!a)b'])('/%s/ may stay', (source) => {
    expect(judge([{ ...anywhere, source }], [])).toEqual([]);
  });

  test.each([
    [slow, 'takes 3rd degree polynomial time'],
    ['/+$', 'takes 2nd degree polynomial time'],
    ['^(a|a)*$', 'takes exponential time'],
    ['(', 'cannot be judged (invalid)'],
  ])('/%s/ %s', (source, verdict) => {
    expect(judge([{ ...anywhere, line: 7, source }], [])).toEqual([`a.ts:7: /${source}/ ${verdict}`]);
  });

  test('an exception names the file and the pattern, and goes with it', () => {
    const exception = { file: 'a.ts', source: slow, reason: 'ours' };
    expect(judge([{ ...anywhere, source: slow }], [exception])).toEqual([]);
    expect(judge([{ ...anywhere, file: 'b.ts', source: slow }], [exception])).toHaveLength(2);
    expect(judge([], [exception])).toEqual([`a.ts: unneeded exception for /${slow}/`]);
  });

  test('one that was proved is not proved again; one with a fault is found each time', () => {
    const keys: string[] = [];
    const known = {
      has: (key: string) => keys.includes(key),
      add: (key: string) => keys.push(key),
      save() {},
    };
    for (const _ of [1, 2]) {
      expect(judge([{ ...anywhere, source: 'a+' }], [], known)).toEqual([]);
      expect(judge([{ ...anywhere, source: slow }], [], known)).toHaveLength(1);
    }
    expect(keys).toHaveLength(1);
    // Whatever it is that is known.
    expect(judge([{ ...anywhere, source: slow }], [], { ...known, has: () => true })).toEqual([]);
  });
});

test('one that depends on values from elsewhere needs an exception', () => {
  const built = [{ file: 'a.ts', line: 2 }];
  expect(judgeBuilt(built, {})).toEqual([
    'a.ts:2: a pattern is built here; say in tools/patterns/answers.ts from what',
  ]);
  expect(judgeBuilt(built, { 'a.ts': { reason: 'one letter' } })).toEqual([]);
  expect(judgeBuilt(built, { 'a.ts': { patterns: () => [/a/, /a*a*b/] } })).toEqual([
    'a.ts: builds /a*a*b/, which takes 3rd degree polynomial time',
  ]);
  expect(judgeBuilt([], { 'a.ts': { reason: 'one letter' } })).toHaveLength(1);
});
