/** How placeholders are found and filled. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../../platform/for-every-testing.ts';
import { isPlaceholderName, placeholdersOf, substitute } from './substitute.ts';

const seed = Number(process.env.SEED);

describe('placeholders', () => {
  testEvery([
    ['none', 'Karibu!', []],
    ['by name', 'Hi {{name}}', ['name']],
    ['in order of first appearance, once each', '{{b}}{{a}}{{b}}', ['b', 'a']],
    ['names that every object has', '{{__proto__}} {{constructor}}', ['__proto__', 'constructor']],
    ['one brace is text', '{name}', []],
    ['spaces inside are text', '{{ name }}', []],
    ['letters of other scripts are text', '{{jiná}}', []],
    ['unclosed is text', '{{name} {{name', []],
    ['the innermost braces count', '{{{{a}}}} {{{b}}}', ['a', 'b']],
  ])('%s', (_rule, content, names) => {
    expect(placeholdersOf(content)).toEqual(names);
  });
});

describe('substitution', () => {
  const values = new Map([
    ['a', 'one'],
    ['open', '{{'],
  ]);
  const valueFor = (name: string) => values.get(name) ?? '?';
  testEvery([
    ['every appearance is filled', '{{a}}-{{a}}', 'one-one'],
    ['a value and the text behind it make no placeholder', '{{open}}a}}', '{{a}}'],
  ])('%s', (_rule, content, text) => {
    expect(substitute(content, valueFor)).toBe(text);
  });
});

const name = fc.string({ unit: fc.constantFrom(...'ab1_'), minLength: 1, maxLength: 3 });

test('substitution is one pass: values and the text between placeholders stay as they are', () => {
  const plain = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[{}]/g, ''));
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    name.map((inner) => `{{${inner}}}`),
    fc.constant('$&'),
  );
  const runs = fc.array(fc.tuple(plain, name, value));
  const onePass = fc.property(runs, (list) => {
    const content = list.map(([text, placeholder]) => `${text}{{${placeholder}}}`).join('');
    const values = new Map(list.map(([, placeholder, filled]) => [placeholder, filled]));
    const expected = list.map(([text, placeholder]) => text + values.get(placeholder)).join('');
    expect(substitute(content, (wanted) => values.get(wanted) ?? '')).toBe(expected);
    expect(placeholdersOf(content)).toEqual([...values.keys()]);
  });
  fc.assert(onePass, { numRuns: 200, seed });
});

test('a name is valid exactly if its braces make a placeholder', () => {
  const unit = fc.constantFrom(...'aZ09_{} -é\n');
  const agrees = fc.property(fc.string({ unit, maxLength: 4 }), (candidate) => {
    expect(isPlaceholderName(candidate)).toBe(placeholdersOf(`{{${candidate}}}`).includes(candidate));
  });
  fc.assert(agrees, { numRuns: 500, seed });
});
