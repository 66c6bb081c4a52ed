/** What a closed schema rejects that the published one allows. */
import { expect } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { closed } from './closed.ts';
import { createAjv } from './schemas.ts';

const published = {
  type: 'object',
  required: ['state'],
  properties: {
    state: {
      anyOf: [
        { type: 'string', enum: ['New', 'Used'] },
        { type: 'string', maxLength: 9 },
      ],
    },
    parts: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
    code: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  },
};

testEvery<[string, object, boolean]>([
  ['properties that the schema names', { state: 'New', parts: [{ id: 'a' }], code: 7 }, true],
  ['the keys of a map', { state: 'New', counts: { any: 1 } }, true],
  ['a property that the schema does not name', { state: 'New', more: 1 }, false],
  ['an unnamed property further in', { state: 'New', parts: [{ id: 'a', more: 1 }] }, false],
  ['a value that the schema does not name', { state: 'Lost' }, false],
])('%s', (_what, value, passes) => {
  const ajv = createAjv();
  expect(ajv.compile(published)(value)).toBe(true);
  expect(ajv.compile(closed(published))(value)).toBe(passes);
});
