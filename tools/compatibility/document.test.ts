/** What breaks clients of a released contract, in both directions, and what does not. */
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { forEvery, testEvery } from '../../src/platform/for-every-testing.ts';
import { type Row, type Tree, verdictOn } from './verdict-testing.ts';

const released: Tree = load(`
paths:
  /things/{id}:
    post:
      operationId: makeThing
      security: [{ oauth2: [make] }]
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: Key, in: header, schema: { type: string, maxLength: 9 } }
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/Order' } }
      responses:
        '200':
          headers: { X-Id: { required: true, schema: { type: string } } }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Thing' }
              examples: { made: { value: { id: a, state: New } }, old: { value: { id: b, state: Used } } }
        '404': { description: unknown }
      callbacks:
        made:
          '{$request.body#/url}':
            post:
              operationId: receiveThing
              requestBody:
                required: true
                content:
                  application/json: { schema: { $ref: '#/components/schemas/Made' } }
              responses: { '2XX': { description: taken }, '410': { description: gone } }
  /token:
    post: { operationId: issueToken, responses: { '200': { description: yes } } }
components:
  securitySchemes:
    oauth2: { type: oauth2, flows: { clientCredentials: { tokenUrl: /token, scopes: { make: Make } } } }
  schemas:
    Order:
      type: object
      oneOf: [{ $ref: '#/components/schemas/One' }, { $ref: '#/components/schemas/Many' }]
    One:
      type: object
      required: [type, size]
      properties:
        type: { const: One }
        size: { type: number, minimum: 1, maximum: 10 }
        colour: { enum: [red, blue] }
        note: { type: string, minLength: 1, maxLength: 20, pattern: x }
    Many:
      type: object
      required: [type]
      additionalProperties: false
      properties:
        type: { const: Many }
        sizes: { type: array, minItems: 1, maxItems: 5, items: { type: number } }
    Thing: &thing
      type: object
      additionalProperties: false
      required: [id, state]
      properties:
        id: { type: string, maxLength: 36 }
        state: { enum: [New, Used] }
        mood: { anyOf: [{ enum: [Good, Bad] }, { type: string }] }
        maker: { type: object, properties: { name: { type: string } } }
        units: { type: object, additionalProperties: { type: integer, minimum: 0 } }
    Made: *thing
`);

const verdict = (mutate: (document: Tree) => unknown) => verdictOn(released, mutate);

const post = (d: Tree) => d.paths['/things/{id}'].post;
const called = (d: Tree) => post(d).callbacks.made['{$request.body#/url}'].post;
const schemas = (d: Tree) => d.components.schemas;
const answered = (d: Tree) => post(d).responses['200'].content['application/json'];
const answer = (d: Tree) => schemas(d).Thing;
const made = (d: Tree) => schemas(d).Made;
const field = { type: 'string' };

const breakingInRequests: Row[] = [
  ['a field is gone', (d) => delete schemas(d).One.properties.note],
  ['a field is required from now on', (d) => schemas(d).One.required.push('note')],
  [
    'a new field is required',
    (d) => {
      schemas(d).One.properties.more = field;
      schemas(d).One.required.push('more');
    },
  ],
  ['a type is narrowed', (d) => (schemas(d).One.properties.size.type = 'integer')],
  ['a type is another', (d) => (schemas(d).One.properties.note.type = 'integer')],
  ['a type is stated', (d) => (schemas(d).One.properties.colour.type = 'string')],
  ['an upper limit is lowered', (d) => (schemas(d).One.properties.note.maxLength = 19)],
  ['an upper limit is new', (d) => (schemas(d).Many.properties.sizes.items.maximum = 5)],
  ['a lower limit is raised', (d) => (schemas(d).Many.properties.sizes.minItems = 2)],
  ['a pattern is another', (d) => (schemas(d).One.properties.note.pattern = 'y')],
  ['a value is gone', (d) => schemas(d).One.properties.colour.enum.pop()],
  ['a tag is another', (d) => (schemas(d).One.properties.type.const = 'Single')],
  ['a variant is gone', (d) => schemas(d).Order.oneOf.pop()],
  ['further properties are refused', (d) => (schemas(d).One.additionalProperties = false)],
  ['a content type is gone', (d) => delete post(d).requestBody.content['application/json']],
  ['a parameter is gone', (d) => post(d).parameters.pop()],
  ['a parameter is required from now on', (d) => (post(d).parameters[1].required = true)],
  ['a parameter is narrowed', (d) => (post(d).parameters[1].schema.maxLength = 8)],
  [
    'a new parameter is required',
    (d) => post(d).parameters.push({ name: 'More', in: 'header', required: true, schema: field }),
  ],
  ['another scope is asked for', (d) => (post(d).security = [{ oauth2: ['make', 'more'] }])],
  ['a keyword that nobody knows', (d) => (schemas(d).One.dependentRequired = { size: ['note'] })],
];

const compatibleInRequests: Row[] = [
  ['an optional field is new', (d) => (schemas(d).Many.properties.more = field)],
  ['a field is no longer required', (d) => schemas(d).One.required.pop()],
  ['a type is widened', (d) => (schemas(d).One.properties.note.type = ['string', 'null'])],
  ['an upper limit is raised', (d) => (schemas(d).One.properties.note.maxLength = 21)],
  ['a limit is gone', (d) => delete schemas(d).One.properties.note.maxLength],
  ['a value is new', (d) => schemas(d).One.properties.colour.enum.push('green')],
  [
    'a variant is new',
    (d) => schemas(d).Order.oneOf.push({ type: 'object', properties: { type: { const: 'New' } } }),
  ],
  [
    'an optional parameter is new',
    (d) => post(d).parameters.push({ name: 'More', in: 'header', schema: field }),
  ],
  ['an operation is new', (d) => (d.paths['/more'] = { post: { operationId: 'more', responses: {} } })],
  ['a callback is new', (d) => (post(d).callbacks.more = { '{$url}': { post: { operationId: 'm' } } })],
];

const breakingInAnswers: Row[] = [
  ['a field of an answer is gone', (d) => delete answer(d).properties.units],
  ['a field is no longer certain', (d) => answer(d).required.pop()],
  ['a type is widened', (d) => (answer(d).properties.id.type = ['string', 'null'])],
  ['a limit is raised', (d) => (answer(d).properties.id.maxLength = 99)],
  ['a value is new', (d) => answer(d).properties.state.enum.push('Lost')],
  ['a value is gone', (d) => answer(d).properties.state.enum.pop()],
  ['what a map holds is widened', (d) => delete answer(d).properties.units.additionalProperties.minimum],
  ['an object is closed', (d) => (answer(d).properties.maker.additionalProperties = false)],
  ['a known value of an extensible enum is gone', (d) => answer(d).properties.mood.anyOf[0].enum.pop()],
  ['an extensible enum is closed', (d) => (answer(d).properties.mood = { enum: ['Good', 'Bad'] })],
  ['an extensible enum has no other values any more', (d) => answer(d).properties.mood.anyOf.pop()],
  ['a status is gone', (d) => delete post(d).responses['404']],
  ['a header is gone', (d) => delete post(d).responses['200'].headers['X-Id']],
  ['a header is no longer certain', (d) => (post(d).responses['200'].headers['X-Id'].required = false)],
  ['a content type is gone', (d) => delete post(d).responses['200'].content['application/json']],
  ['an example is gone, or has another name', (d) => delete answered(d).examples.old],
];

const compatibleInAnswers: Row[] = [
  ['a value of an extensible enum is new', (d) => answer(d).properties.mood.anyOf[0].enum.push('Mixed')],
  ['an optional field is new', (d) => (answer(d).properties.more = field)],
  [
    'a certain field is new',
    (d) => {
      answer(d).properties.more = field;
      answer(d).required.push('more');
    },
  ],
  ['a field is certain from now on', (d) => answer(d).required.push('units')],
  ['a limit is lowered', (d) => (answer(d).properties.id.maxLength = 20)],
  ['a status is new', (d) => (post(d).responses['409'] = { description: 'busy' })],
  ['a header is new', (d) => (post(d).responses['200'].headers.More = { schema: field })],
  ['an example is new', (d) => (answered(d).examples.more = { value: { id: 'c', state: 'New' } })],
];

describe('requests that were valid stay valid', () => {
  testEvery(breakingInRequests)('breaks: %s', (_rule, mutate) => expect(verdict(mutate)).toBe('breaking'));
  testEvery(compatibleInRequests)('passes: %s', (_rule, mutate) =>
    expect(verdict(mutate)).toBe('compatible'),
  );
});

// A client may have sent it before: misspelt for another, or made up. It was ignored, and now it has an effect.
testEvery<Row>([
  ['of the request', (d) => (schemas(d).One.properties.more = field)],
  [
    'of an object inside',
    (d) =>
      (schemas(d).One.properties.colour = {
        ...schemas(d).One.properties.colour,
        properties: { more: field },
      }),
  ],
])('a new property of an open request is to be looked at: %s', (_rule, mutate) =>
  expect(verdict(mutate)).toBe('to be looked at'),
);

describe('responses stay readable for clients', () => {
  testEvery(breakingInAnswers)('breaks: %s', (_rule, mutate) => expect(verdict(mutate)).toBe('breaking'));
  testEvery(compatibleInAnswers)('passes: %s', (_rule, mutate) => expect(verdict(mutate)).toBe('compatible'));
});

describe('callbacks: the sides are swapped', () => {
  testEvery<Row>([
    ['a field is removed', (d) => delete made(d).properties.units],
    ['a field is no longer required', (d) => made(d).required.pop()],
    ['a value is added', (d) => made(d).properties.state.enum.push('Lost')],
    ['an acknowledging status is removed', (d) => delete called(d).responses['2XX']],
    [
      'it is posted elsewhere',
      (d) => (post(d).callbacks.made = { '{$request.body#/to}': { post: called(d) } }),
    ],
    ['it is removed', (d) => delete post(d).callbacks],
  ])('breaks: %s', (_rule, mutate) => expect(verdict(mutate)).toBe('breaking'));
  testEvery<Row>([
    ['an extensible enum gains a value', (d) => made(d).properties.mood.anyOf[0].enum.push('Mixed')],
    ['clients may respond with another status', (d) => (called(d).responses['404'] = { description: 'no' })],
  ])('passes: %s', (_rule, mutate) => expect(verdict(mutate)).toBe('compatible'));
});

describe('operations and credentials', () => {
  testEvery<Row>([
    ['an operation is removed', (d) => delete d.paths['/token']],
    ['it is renamed', (d) => (post(d).operationId = 'createThing')],
    [
      'tokens are issued elsewhere',
      (d) => (d.components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl = '/x'),
    ],
    [
      'credentials are sent in another way',
      (d) => (d.components.securitySchemes.oauth2 = { type: 'apiKey', in: 'header', name: 'X-Key' }),
    ],
    ['a scope is removed', (d) => (d.components.securitySchemes.oauth2.flows.clientCredentials.scopes = {})],
  ])('breaks: %s', (_rule, mutate) => expect(verdict(mutate)).toBe('breaking'));
  test('says nothing of what no client sees', () =>
    forEvery<Row>(
      [
        [
          'descriptions, and what examples show',
          (d) => {
            Object.assign(answer(d).properties.id, { description: 'x', example: 'y' });
            answered(d).examples.made = { summary: 'x', value: { id: 'z', state: 'New' } };
          },
        ],
        ['the name of a path parameter', (d) => (post(d).parameters[0].name = 'thingId')],
        ['extensions', (d) => (schemas(d).One.properties.note['x-errors'] = { pattern: 'No.' })],
      ],
      'says nothing of %s',
      (_rule, mutate) => expect(verdict(mutate)).toBe('as released'),
    ));
});
