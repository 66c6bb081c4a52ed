/** Every fault that parameters can have, how faults combine, and what a template resolves to. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testEvery } from '../../platform/for-every-testing.ts';
import { resolveTemplate } from './parameters.ts';
import type { ParamDefinition, TemplateParameter } from './template.ts';

const seed = Number(process.env.SEED);

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

const numeric: Rules = { a: { format: 'Numeric', maxLength: 3 } };

describe('the messages', () => {
  testEvery<[string, Rules, string[], string]>([
    ['missing', {}, [], "Missing required parameter 'a'"],
    ['unknown', {}, ['a=x', 'b=x'], "Unknown parameter 'b'"],
    ['duplicate', {}, ['a=x', 'a=x'], "Duplicate parameter 'a'"],
    ['maxLength', numeric, ['a=1234'], "Parameter 'a': Value for parameter 'a' must not exceed 3 characters"],
    [
      'Alphanumeric',
      { a: { format: 'Alphanumeric' } },
      ['a=x-1'],
      "Parameter 'a': Value for parameter 'a' must be alphanumeric",
    ],
    ['Numeric', numeric, ['a=1.5'], "Parameter 'a': Value for parameter 'a' must be numeric"],
    [
      'Name',
      { a: { format: 'Name' } },
      ['a=R2D2'],
      "Parameter 'a': Value for parameter 'a' must be a valid name",
    ],
    ['empty', {}, ['a='], "Value for parameter 'a' must be non-empty"],
    ['an opening brace', {}, ['a=x{y'], "Value for parameter 'a' contains forbidden characters"],
    ['a closing brace', {}, ['a=}'], "Value for parameter 'a' contains forbidden characters"],
    ['NUL', {}, ['a=\u0000'], "Value for parameter 'a' contains forbidden characters"],
    ['a line break', {}, ['a=x\ny'], "Value for parameter 'a' contains forbidden characters"],
    ['DEL', {}, ['a=\u007f'], "Value for parameter 'a' contains forbidden characters"],
    [
      'a control character beyond ASCII',
      {},
      ['a=\u009f'],
      "Value for parameter 'a' contains forbidden characters",
    ],
    [
      'bad name',
      {},
      ['a=x', 'b-c=x'],
      'Name must be a non-empty identifier using letters, digits, and underscores',
    ],
    ['too long', {}, [`a=${'x'.repeat(961)}`], 'Resolved content cannot be longer than 960 characters'],
    ['only white space', {}, ['a= \u3000'], 'Resolved content must be non-empty'],
    ['missing, whatever `required` says', { a: { required: false } }, [], "Missing required parameter 'a'"],
    ['an empty text', { a: { default: '' } }, [], 'Resolved content must be non-empty'],
  ])('%s', (_rule, rules, given, message) => {
    expect(resolve('{{a}}', rules, ...given)).toEqual({ faults: [message] });
  });
});

const badName = 'Name must be a non-empty identifier using letters, digits, and underscores';
const missing = (name: string) => `Missing required parameter '${name}'`;
const unknown = (name: string) => `Unknown parameter '${name}'`;
const duplicate = (name: string) => `Duplicate parameter '${name}'`;
const empty = (name: string) => `Value for parameter '${name}' must be non-empty`;
const forbidden = (name: string) => `Value for parameter '${name}' contains forbidden characters`;
const tooLong = (name: string) =>
  `Parameter '${name}': Value for parameter '${name}' must not exceed 3 characters`;
const notNumeric = (name: string) => `Parameter '${name}': Value for parameter '${name}' must be numeric`;

describe('combinations', () => {
  testEvery<[string, string, string[], string[]]>([
    [
      'faults are in the order of the request',
      '{{a}}{{b}}',
      ['b=', 'x=1', 'a=\t'],
      [empty('b'), unknown('x'), forbidden('a')],
    ],
    [
      'missing ones come last, in the order of the text',
      '{{c}}{{a}}{{b}}',
      ['x=1', 'a='],
      [unknown('x'), empty('a'), missing('c'), missing('b')],
    ],
    ['a length and a format at once, the length first', '{{a}}', ['a=abcd'], [tooLong('a'), notNumeric('a')]],
    ['an empty value gets no format message', '{{a}}', ['a='], [empty('a')]],
    ['a forbidden value gets neither length nor format message', '{{a}}', ['a=ab}cd'], [forbidden('a')]],
    ['a bad name gets only the name message', '{{a}}', ['a=1', '=', 'é={'], [badName, badName]],
    ['a bad name supplies nothing', '{{a}}', [' a=1'], [badName, missing('a')]],
    ['a name that is given three times is reported once', '{{a}}', ['a=1', 'a=2', 'a=3'], [duplicate('a')]],
    ['the repetition of a name gets no message on its value', '{{a}}', ['a=1', 'a={'], [duplicate('a')]],
    [
      'its first value is judged',
      '{{a}}',
      ['a=x', 'b=1', 'a=1'],
      [notNumeric('a'), unknown('b'), duplicate('a')],
    ],
    ['an unknown name given twice', 'Hi', ['b=1', 'b=1'], [unknown('b'), duplicate('b')]],
    ['an unknown name with an empty value', 'Hi', ['b='], [unknown('b'), empty('b')]],
    ['an unknown name with a forbidden value', 'Hi', ['b=\u0085'], [unknown('b'), forbidden('b')]],
    ['a rejected value is not missing', '{{a}}', ['a='], [empty('a')]],
    ['a placeholder that appears twice is missing once', '{{a}}{{a}}', [], [missing('a')]],
    [
      'the length of the text is not judged beside other faults',
      '{{b}}',
      [`b=${'x'.repeat(961)}`, 'c=1'],
      [unknown('c')],
    ],
    ['a name is known by its own case only', '{{a}}', ['A=1'], [unknown('A'), missing('a')]],
    ['a name that every object has is unknown', 'Hi', ['constructor=1'], [unknown('constructor')]],
    ['such a placeholder is missing', '{{__proto__}}', [], [missing('__proto__')]],
  ])('%s', (_rule, content, given, faults) => {
    expect(resolve(content, numeric, ...given)).toEqual({ faults });
  });
});

describe('the resolved text', () => {
  testEvery<[string, string, Rules, string[], string]>([
    ['a text without placeholders', 'Karibu!', {}, [], 'Karibu!'],
    ['by name and position', '{{1}}, {{name}}', {}, ['name=Asha', '1=Hi'], 'Hi, Asha'],
    ['a default fills what is omitted', '{{a}}', { a: { default: 'x' } }, [], 'x'],
    ['a value takes precedence over the default', '{{a}}', { a: { default: 'x' } }, ['a=y'], 'y'],
    ['an empty default is a default', '[{{a}}]', { a: { default: '' } }, [], '[]'],
    ['an optional parameter with a default', '{{a}}', { a: { required: false, default: 'x' } }, [], 'x'],
    ['a parameter without a placeholder may be given', 'Hi', { a: {} }, ['a=x'], 'Hi'],
    ['and is never missing', 'Hi', { a: {} }, [], 'Hi'],
    ['a value is never read as a pattern', '{{a}}', {}, ['a=$& $1'], '$& $1'],
    ['lengths count code points', '{{a}}', { a: { maxLength: 3 } }, ['a=😀😀😀'], '😀😀😀'],
    ['960 characters', '{{a}}', {}, [`a=${'😀'.repeat(960)}`], '😀'.repeat(960)],
    ['plain text takes white space', '[{{a}}]', {}, ['a= '], '[ ]'],
  ])('%s', (_rule, content, rules, given, text) => {
    expect(resolve(content, rules, ...given)).toEqual({ text });
  });
});

const name = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('a', 'b', '1', '__proto__') },
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const definition: fc.Arbitrary<ParamDefinition> = fc.record(
  {
    name,
    format: fc.constantFrom('PlainText', 'Alphanumeric', 'Numeric', 'Name'),
    required: fc.boolean(),
    maxLength: fc.nat({ max: 10 }),
    default: fc.string({ unit: fc.constantFrom(...'abé 1'), maxLength: 5 }),
  },
  { requiredKeys: ['name', 'format', 'required'] },
);
const value = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('1', 'Asha', '😀', '$&') },
  fc.string({ unit: 'binary' }),
);
const parameters: fc.Arbitrary<TemplateParameter[]> = fc.array(fc.record({ name, value }), { maxLength: 4 });

test('a resolved text holds no unfilled placeholder', () => {
  const part = fc.constantFrom('{{a}}', '{{b}}', '{{1}}', '{{__proto__}}', ' ', 'x$');
  const parts = fc.array(part, { maxLength: 5 });
  let resolved = 0;
  const filled = fc.property(parts, fc.array(definition), parameters, (content, paramDefinitions, params) => {
    const outcome = resolveTemplate({ content: content.join(''), paramDefinitions }, params);
    if ('text' in outcome) {
      resolved += 1;
      expect(outcome.text).not.toMatch(/[{}]/);
    } else {
      expect(outcome.faults).not.toEqual([]);
    }
  });
  fc.assert(filled, { numRuns: 2_000, seed });
  expect(resolved).toBeGreaterThan(100);
});

test('any strings result in a text of at most 960 characters or in faults', () => {
  const content = fc.string({ unit: 'binary', maxLength: 1_000, size: 'max' });
  const answered = fc.property(
    content,
    fc.array(definition),
    parameters,
    (text, paramDefinitions, params) => {
      const outcome = resolveTemplate({ content: text, paramDefinitions }, params);
      if ('text' in outcome) expect([...outcome.text].length).toBeLessThanOrEqual(960);
      else expect(outcome.faults.length).toBeGreaterThan(0);
    },
  );
  fc.assert(answered, { numRuns: 500, seed });
});

test('ten thousand parameters are all reported', () => {
  const params = Array.from({ length: 10_000 }, (_, at) => ({ name: `p${at}`, value: 'x' }));
  const outcome = resolveTemplate({ content: '', paramDefinitions: [] }, params);
  expect(outcome).toEqual({ faults: params.map((parameter) => unknown(parameter.name)) });
});
