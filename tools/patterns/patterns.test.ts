/** The check of patterns finds them wherever they are written. judge.slow.test.ts has what it says of them. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { testEvery } from '../../src/platform/for-every-testing.ts';
import { extractPatterns } from './extract.ts';
import { findLookups } from './lookups.ts';
import { documentPatterns } from './project.ts';

describe('patterns of code', () => {
  testEvery([
    ['a literal', 'f(/a+\\//gi)', [{ line: 1, source: 'a+\\/', flags: 'gi' }]],
    ['a literal on a later line', 'f();\n\nconst a = /b/;', [{ line: 3, source: 'b', flags: '' }]],
    ['a call of RegExp', "new RegExp('a', 'u'); RegExp('b')", [{ source: 'a', flags: 'u' }, { source: 'b' }]],
    ['one of constants', "const a = '[a]'; new RegExp('^' + a)", [{ source: '^[a]' }]],
    ['one of a template', 'const a = "[a]"; new RegExp(`^$' + '{a}|b`)', [{ source: '^[a]|b' }]],
    ['one in a schema', "({ type: 'string', pattern: '^a' })", [{ source: '^a', flags: 'u' }]],
    ['text that only looks like one', "const a = '/b/'; // /c/", []],
  ])('%s', (_name, code, found) => {
    const { patterns, built } = extractPatterns('a.ts', code);
    expect(patterns).toMatchObject(found);
    expect(patterns).toHaveLength(found.length);
    expect(built).toEqual([]);
  });

  test('one that depends on values from elsewhere', () => {
    const { patterns, built } = extractPatterns('a.ts', 'export const f = (x: string) =>\n  new RegExp(x);');
    expect(patterns).toEqual([]);
    expect(built).toMatchObject([{ file: 'a.ts', line: 2 }]);
  });
});

test('patterns of a document, with their lines; properties named pattern and their sentences are not patterns', () => {
  const yaml =
    'properties:\n  pattern:\n    type: string\n    pattern: ^a+$\n    x-errors:\n      pattern: No {pointer}.';
  expect(documentPatterns('a.yaml', yaml)).toEqual([{ file: 'a.yaml', line: 4, source: '^a+$', flags: 'u' }]);
});

describe('look-ups', () => {
  const declared = `
    type Word = 'a' | 'b';
    declare const table: Record<string, number>, known: { a: number; b: number }, list: number[];
    declare const text: string, word: Word, either: string | undefined, index: number, any: any;
  `;
  const folder = mkdtempSync(join(tmpdir(), 'tarishi-lookups-'));
  const file = join(folder, 'checked.ts');
  /** The code of each fault. */
  const found = (code: string): string[] => {
    writeFileSync(file, `${declared}${code};\nexport {};`);
    const program = ts.createProgram([file], { strict: true, lib: ['lib.es2022.d.ts'], types: [] });
    return findLookups(program, (name) => name === file).map(
      (place) => /:\d+: (.*) looks any word up/.exec(place)?.[1] ?? place,
    );
  };

  testEvery([
    ['table[text]', ['table[text]']],
    ["table[text + '.a']", ["table[text + '.a']"]],
    ["table[either ?? '']", ["table[either ?? '']"]],
    ['table[any.key]', ['table[any.key]']],
    ['table?.[text]', ['table?.[text]']],
    ['(known as any)[text]', ['(known as any)[text]']],
    ['table[text] += 1', ['table[text]']],
    ['text in known', ['text in known']],
    ['const { [text]: value } = table', ['[text]: value']],
  ])('%s is found', (code, faults) => {
    expect(found(code)).toEqual(faults);
  });

  testEvery([
    'table.a',
    "table['a']",
    'known[word]',
    'list[index]',
    'text[index]',
    "'a' in known",
    'table[text] = 1',
    'delete table[text]',
  ])('%s is not', (code) => {
    expect(found(code)).toEqual([]);
  });
});
