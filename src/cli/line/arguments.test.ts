/** Command lines are read strictly, and all faults are reported at once. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { readArguments } from './arguments.ts';
import { command } from './command.ts';
import { UsageError } from './errors.ts';

const example = command({
  words: 'kite fly',
  about: 'fly a kite',
  positionals: { kite: 'id of the kite' },
  options: {
    tail: { kind: 'number', min: 1, max: 10, about: 'metres of tail' },
    colour: { kind: 'text', about: 'its colour', choices: ['red', 'blue'], required: true },
    flag: { kind: 'list', about: 'a flag on it', matching: { rule: /^[a-z]+$/, words: 'small letters' } },
    high: { kind: 'flag', about: 'fly high' },
    code: { kind: 'secret', about: 'opens its box' },
  },
  run: async () => undefined,
});

function faultsOf(words: string[]): readonly string[] {
  try {
    readArguments(example, words);
  } catch (error) {
    if (error instanceof UsageError) return error.faults;
    throw error;
  }
  return [];
}

describe('correct arguments', () => {
  test('everything, in any order', () => {
    const words = '--high --flag a --colour=red k1 --tail 3 --flag b --code-env CODE --json'.split(' ');
    expect(readArguments(example, words)).toEqual({
      values: { kite: 'k1', tail: 3, colour: 'red', flag: ['a', 'b'], high: true },
      secrets: { code: { variable: 'CODE' } },
      json: true,
    });
  });

  test('only required arguments', () => {
    expect(readArguments(example, ['k1', '--colour', 'blue'])).toEqual({
      values: { kite: 'k1', tail: undefined, colour: 'blue', flag: [], high: false },
      secrets: {},
      json: false,
    });
  });

  test('a required secret that is missing is prompted for', () => {
    const asking = { ...example, options: { code: { kind: 'secret', about: '', required: true } } } as const;
    expect(readArguments(asking, ['k1']).secrets).toEqual({ code: undefined });
  });
});

const length = '--tail must be a whole number from 1 to 10';
const rows: [string, string, string[]][] = [
  ['all at once', '--tail 0', ['<kite> is missing', length, '--colour is missing']],
  [
    'an unknown option',
    'k1 --color red',
    ["unknown option '--color'; did you mean --colour?", '--colour is missing'],
  ],
  [
    'an option without its value',
    'k1 --colour',
    ["option '--colour <colour>' argument missing", '--colour is missing'],
  ],
  ['an argument too many', 'k1 k2 --colour red', ["unexpected argument 'k2'"]],
  ['an id with other characters', 'k/1 --colour red', ['<kite> must be 1 to 64 letters, digits, - and _']],
  ['an option twice', 'k1 --colour red --colour red', ['--colour is given more than once']],
  ['an empty value', 'k1 --colour ', ['--colour must not be empty']],
  ['not one of the choices', 'k1 --colour grey', ['--colour must be one of red, blue']],
  ['an invalid value in a list', 'k1 --colour red --flag a --flag 1', ['--flag must be small letters']],
  ['a malformed number', 'k1 --colour red --tail 1e1', [length]],
  ['a number out of its range', 'k1 --colour red --tail 11', [length]],
  ['a secret on the command line', 'k1 --colour red --code x', ["unknown option '--code'"]],
  [
    'a secret from two places',
    'k1 --colour red --code-file f --code-env E',
    ['--code-file and --code-env cannot be combined'],
  ],
];
testEvery(rows)('faults: %s', (_name, words, faults) => {
  expect(faultsOf(words.split(' '))).toEqual(faults);
});
