/** Every fault that parameters can have, how faults combine, and what a template resolves to. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { resolveTemplate } from './parameters.ts';
import type { ParamDefinition, ParamFormat } from './template.ts';

type Rules = Record<string, Partial<Omit<ParamDefinition, 'name'>>>;

/** Resolves a content with rules by name, and parameters written as `name=value`. */
function resolve(content: string, rules: Rules, ...given: string[]) {
  const paramDefinitions = Object.entries(rules).map(
    ([name, rule]): ParamDefinition => ({ name, format: 'PlainText', required: true, ...rule }),
  );
  const params = given.map((pair) => {
    const end = pair.indexOf('=');
    return { name: pair.slice(0, end), value: pair.slice(end + 1) };
  });
  return resolveTemplate({ content, paramDefinitions }, params);
}

const ofFormat = (format: ParamFormat, maxLength?: number): Rules => ({
  a: { format, ...(maxLength === undefined ? {} : { maxLength }) },
});
const numeric = ofFormat('Numeric', 3);
const badName = 'Name must be a non-empty identifier using letters, digits, and underscores';
const missing = (name: string) => `Missing required parameter '${name}'`;
const unknown = (name: string) => `Unknown parameter '${name}'`;
const duplicate = (name: string) => `Duplicate parameter '${name}'`;
const empty = (name: string) => `Value for parameter '${name}' must be non-empty`;
const forbidden = (name: string) => `Value for parameter '${name}' contains forbidden characters`;
const tooLong = "Parameter 'a': Value for parameter 'a' must not exceed 3 characters";
const notNumeric = "Parameter 'a': Value for parameter 'a' must be numeric";

describe('a value is rejected', () => {
  testEvery<[string, Rules, string, string]>([
    ['too long', numeric, '1234', tooLong],
    [
      'not alphanumeric',
      ofFormat('Alphanumeric'),
      'x-1',
      "Parameter 'a': Value for parameter 'a' must be alphanumeric",
    ],
    ['not numeric', numeric, '1.5', notNumeric],
    ['no name', ofFormat('Name'), 'R2D2', "Parameter 'a': Value for parameter 'a' must be a valid name"],
    ['empty', numeric, '', empty('a')],
    ['an opening brace', numeric, 'x{y', forbidden('a')],
    ['a closing brace', {}, '}', forbidden('a')],
    ['a line break', {}, 'x\ny', forbidden('a')],
    ['a control character beyond ASCII', {}, '\u009f', forbidden('a')],
    [
      'a text of 961 characters',
      {},
      'x'.repeat(961),
      'Resolved content cannot be longer than 960 characters',
    ],
    ['a text of white space', {}, ' \u3000', 'Resolved content must be non-empty'],
  ])('%s', (_rule, rules, value, message) => {
    expect(resolve('{{a}}', rules, `a=${value}`)).toEqual({ faults: [message] });
  });
});

describe('faults', () => {
  testEvery<[string, string, string[], string[]]>([
    [
      'are in the order of the request',
      '{{a}}{{b}}',
      ['b=', 'x=1', 'a=\t'],
      [empty('b'), unknown('x'), forbidden('a')],
    ],
    [
      'of what is missing come last, in the order of the text, once each',
      '{{c}}{{a}}{{b}}{{c}}',
      ['x=1', 'a='],
      [unknown('x'), empty('a'), missing('c'), missing('b')],
    ],
    ['of length and format at once, the length first', '{{a}}', ['a=abcd'], [tooLong, notNumeric]],
    [
      'of a bad name: only that, once for each, and it supplies nothing',
      '{{a}}',
      [' a=1', '=', 'é={'],
      [badName, badName, badName, missing('a')],
    ],
    [
      'of a name given three times: once, and none of its later values',
      '{{a}}',
      ['a=1', 'a={', 'a=3'],
      [duplicate('a')],
    ],
    ['of its first value too', '{{a}}', ['a=x', 'b=1', 'a=1'], [notNumeric, unknown('b'), duplicate('a')]],
    [
      'of an unknown name with a forbidden value: both',
      'Hi',
      ['b=\u0085', 'b=1'],
      [unknown('b'), forbidden('b'), duplicate('b')],
    ],
    ['of the length of a text: not beside others', '{{b}}', [`b=${'x'.repeat(961)}`, 'c=1'], [unknown('c')]],
    ['of a name in another case', '{{a}}', ['A=1'], [unknown('A'), missing('a')]],
    [
      'of names that every object has',
      '{{__proto__}}',
      ['constructor=1'],
      [unknown('constructor'), missing('__proto__')],
    ],
  ])('%s', (_rule, content, given, faults) => {
    expect(resolve(content, numeric, ...given)).toEqual({ faults });
  });

  test('whatever `required` says, what nothing fills is missing', () => {
    expect(resolve('{{a}}', { a: { required: false } })).toEqual({ faults: [missing('a')] });
  });
});

describe('the resolved text', () => {
  testEvery<[string, string, Rules, string[], string]>([
    ['a text without placeholders', 'Karibu!', {}, [], 'Karibu!'],
    ['by name and position', '{{1}}, {{name}}', {}, ['name=Asha', '1=Hi'], 'Hi, Asha'],
    ['a default fills what is omitted', '{{a}}', { a: { default: 'x' } }, [], 'x'],
    ['a value takes precedence over the default', '{{a}}', { a: { default: 'x' } }, ['a=y'], 'y'],
    ['an empty default is a default', '[{{a}}]', { a: { default: '' } }, [], '[]'],
    ['a parameter without a placeholder may be given', 'Hi', { a: {} }, ['a=x'], 'Hi'],
    ['and is never missing', 'Hi', { a: {} }, [], 'Hi'],
    ['lengths count code points', '{{a}}', { a: { maxLength: 3 } }, ['a=😀😀😀'], '😀😀😀'],
    ['960 characters', '{{a}}', {}, [`a=${'😀'.repeat(960)}`], '😀'.repeat(960)],
  ])('%s', (_rule, content, rules, given, text) => {
    expect(resolve(content, rules, ...given)).toEqual({ text });
  });
});

testEvery<[ParamFormat, accepted: string[], refused: string[]]>([
  ['PlainText', ['KES 1,500.00 <b>', 'a’b', '😀', '\u00a0', "'; --"], []],
  [
    'Alphanumeric',
    ['A1', 'Ñandú7', 'n\u0303andu\u0301', 'Ωμέγα', '中文', '٣', '०'],
    ['a b', 'a_b', 'a-b', '½', '😀', '.'],
  ],
  ['Numeric', ['0', '0042'], ['-1', '1.0', '1e3', '٣', '\uff11', ' 1', '1 000']],
  [
    'Name',
    ["Ng'ang'a O’Brien-Smith Jr.", 'José', 'Jose\u0301', 'आशा', 'Ayşe'],
    ['R2', 'a_b', 'a,b', 'a\u00a0b', '<b>'],
  ],
])('values of the format %s', (format, accepted, refused) => {
  const accepts = (value: string) => 'text' in resolve('[{{a}}]', ofFormat(format), `a=${value}`);
  expect(accepted.filter(accepts)).toEqual(accepted);
  expect(refused.filter(accepts)).toEqual([]);
});
