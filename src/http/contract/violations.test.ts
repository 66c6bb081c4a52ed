/** The one sentence for a rejected body: its place, its words, and which fault comes first. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createAjv } from './schemas.ts';
import { createViolationFinder, sentenceOf, violationOf } from './violations.ts';

type Schema = Parameters<typeof createViolationFinder>[0];

function refusal(schema: Schema, body: unknown): string | undefined {
  const validate = createAjv().compile(schema as object);
  const found = validate(body) ? undefined : violationOf(validate.errors);
  return found && sentenceOf(createViolationFinder(schema)(body, found));
}

const text = { type: 'string', minLength: 2, maxLength: 3 };
const object = (properties: Schema, more: object = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

describe('the sentence', () => {
  testEvery<[string, Schema, unknown, string | undefined]>([
    ['nothing is wrong', object({ a: text }), { a: 'ab' }, undefined],
    ['the body itself', object({}), 'text', 'The request body must be an object'],
    ['a type', object({ a: text }), { a: 1 }, '/a must be a string'],
    ['an item', object({ a: { type: 'array', items: text } }), { a: ['ab', 1] }, '/a/1 must be a string'],
    ['a missing property', object({ a: text }, { required: ['a'] }), {}, '/a is required'],
    [
      'a missing property further in',
      object({ a: object({ b: text }, { required: ['b'] }) }),
      { a: {} },
      '/a/b is required',
    ],
    ['another property', object({}, { additionalProperties: false }), { x: 1 }, '/x is not allowed'],
    ['one of several values', object({ a: { enum: ['x', 'y'] } }), { a: 'z' }, '/a must be one of x, y'],
    ['a fixed value', object({ a: { const: 'x' } }), { a: 'z' }, '/a must be x'],
    ['too short', object({ a: text }), { a: 'a' }, '/a must have at least 2 characters'],
    ['too long', object({ a: text }), { a: 'abcd' }, '/a must have at most 3 characters'],
    ['length in code points', object({ a: text }), { a: '😀😀😀' }, undefined],
    ['an empty list', object({ a: { type: 'array', minItems: 1 } }), { a: [] }, '/a must not be empty'],
    ['too few', object({ a: { type: 'array', minItems: 2 } }), { a: [1] }, '/a must have at least 2 items'],
    ['an empty text', object({ a: { type: 'string', minLength: 1 } }), { a: '' }, '/a must not be empty'],
    ['too many', object({ a: { type: 'array', maxItems: 1 } }), { a: [1, 2] }, '/a must have at most 1 item'],
    [
      'a rule without a sentence of its own',
      object({ a: { type: 'integer', minimum: 1 } }),
      { a: 0 },
      '/a must be at least 1',
    ],
  ])('%s', (_rule, schema, body, sentence) => {
    expect(refusal(schema, body)).toBe(sentence);
  });

  test('a name from the body is written as a JSON pointer, and not at any length', () => {
    const closed = object({}, { additionalProperties: false });
    expect(refusal(closed, { 'a/b~c': 1 })).toBe('/a~1b~0c is not allowed');
    expect(refusal(closed, { ['x'.repeat(1_000)]: 1 })).toBe(`/${'x'.repeat(100)}… is not allowed`);
  });
});

describe('a published sentence', () => {
  const published = (sentence: string): Schema =>
    object({ a: { type: 'array', maxItems: 1, 'x-errors': { maxItems: sentence } } });

  testEvery([
    ['is used unchanged', 'Too much.', [1, 2], 'Too much.'],
    ['has the place instead of {pointer}', 'Too much: {pointer}.', [1, 2], 'Too much: /a.'],
    ['is used for its keyword only', 'Too much.', 'x', '/a must be an array'],
  ])('%s', (_rule, sentence, a, said) => {
    expect(refusal(published(sentence), { a })).toBe(said);
  });
});

describe('variants', () => {
  const variant = (name: string, properties: object): Schema =>
    object({ type: { const: name }, ...properties }, { required: ['type', ...Object.keys(properties)] });
  const either: Schema = {
    type: 'object',
    discriminator: { propertyName: 'type' },
    required: ['type'],
    oneOf: [variant('One', { a: text }), variant('Two', { b: text })],
  };

  testEvery<[string, unknown, string]>([
    ['no type', {}, '/type is required'],
    ['an unknown type', { type: 'Three' }, '/type must be one of One, Two'],
    ['the chosen variant only', { type: 'Two' }, '/b is required'],
    ['the chosen variant, further in', { type: 'One', a: 1 }, '/a must be a string'],
    ['not an object', [], 'The request body must be an object'],
    ['null', null, 'The request body must be an object'],
  ])('%s', (_rule, body, sentence) => {
    expect(refusal(either, body)).toBe(sentence);
  });
});

describe('alternatives', () => {
  const entry = (name: string): Schema =>
    object({ phone: { type: 'string' }, [name]: text }, { required: ['phone', name] });
  const either = object({ list: { type: 'array', items: { anyOf: [entry('message'), entry('text')] } } });

  testEvery<[string, unknown, string | undefined]>([
    ['the first', { phone: '1', message: 'ab' }, undefined],
    ['the second', { phone: '1', text: 'ab' }, undefined],
    ['neither: the first is required', { phone: '1' }, '/list/0/message is required'],
    ['a fault of both kinds', { text: 'ab' }, '/list/0/phone is required'],
    ['a fault of the second', { phone: '1', text: 1 }, '/list/0/text must be a string'],
    ['its length', { phone: '1', text: 'a' }, '/list/0/text must have at least 2 characters'],
    ['a fault of both', { phone: 1, text: 'ab' }, '/list/0/phone must be a string'],
    ['not an object', null, '/list/0 must be an object'],
  ])('%s', (_rule, item, sentence) => {
    expect(refusal(either, { list: [item] })).toBe(sentence);
  });
});

describe('the order: shape, counts, items, lengths', () => {
  // In the schema the other way round.
  const schema = object(
    {
      short: text,
      list: { type: 'array', maxItems: 2, items: object({ phone: text }, { required: ['phone'] }) },
      last: { type: 'boolean' },
    },
    { required: ['last'] },
  );
  const wrong = { short: 'x', list: [{}, {}, {}], last: 'no' };

  testEvery<[string, object, string | undefined]>([
    ['shape first', wrong, '/last must be a boolean'],
    ['then counts', { ...wrong, last: true }, '/list must have at most 2 items'],
    ['then items', { ...wrong, last: true, list: [{}] }, '/list/0/phone is required'],
    ['then lengths', { ...wrong, last: true, list: [] }, '/short must have at least 2 characters'],
    [
      'lengths in the order of the schema',
      { short: 'x', list: [{ phone: 'y' }], last: true },
      '/short must have at least 2 characters',
    ],
    [
      'lengths of items too',
      { short: 'xy', list: [{ phone: 'y' }], last: true },
      '/list/0/phone must have at least 2 characters',
    ],
  ])('%s', (_rule, body, sentence) => {
    expect(refusal(schema, body)).toBe(sentence);
  });

  test('a property that is named like a keyword is judged like any other', () => {
    const named = object(
      { maxItems: { type: 'string' }, items: { type: 'string' } },
      { required: ['items'] },
    );
    expect(refusal(named, { maxItems: 1, items: 'x' })).toBe('/maxItems must be a string');
    expect(refusal(named, { items: 1 })).toBe('/items must be a string');
  });
});
