/** What breaks the receivers of webhooks and messages, and what does not. */
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { testEvery } from '../../src/platform/for-every-testing.ts';
import { type Row, type Tree, verdictOn } from './verdict-testing.ts';

const openapi: Tree = load(`
webhooks:
  made:
    post:
      operationId: onThing
      requestBody:
        content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: string } } } } }
      responses: { '2XX': { description: taken } }
`);

describe('webhooks: the service sends of itself', () => {
  const hook = (d: Tree) => d.webhooks.made.post;
  const closedBody = { type: 'object', additionalProperties: false };
  testEvery<Row>([
    ['one is gone', (d) => delete d.webhooks.made],
    ['its name is another', (d) => (hook(d).operationId = 'onMade')],
    ['its body is closed', (d) => (hook(d).requestBody.content['application/json'].schema = closedBody)],
    [
      'a field is no longer certain',
      (d) => delete hook(d).requestBody.content['application/json'].schema.required,
    ],
  ])('breaks: %s', (_rule, mutate) => expect(verdictOn(openapi, mutate)).toBe('breaking'));
  test('passes: one is new', () =>
    expect(verdictOn(openapi, (d) => (d.webhooks.more = structuredClone(d.webhooks.made)))).toBe(
      'compatible',
    ));
});

describe('an AsyncAPI document', () => {
  const asyncapi: Tree = load(`
operations:
  postMade: { action: send }
components:
  messages:
    made:
      headers: { type: object, required: [id], properties: { id: { type: string } } }
      payload: { $ref: '#/components/schemas/Made' }
  schemas:
    Made: { type: object, required: [state], properties: { state: { anyOf: [{ enum: [New] }, { type: string }] } } }
`);
  const Made = (d: Tree) => d.components.schemas.Made;
  testEvery<Row>([
    ['an operation is gone', (d) => delete d.operations.postMade],
    ['a message is gone', (d) => delete d.components.messages.made],
    ['a header is no longer certain', (d) => delete d.components.messages.made.headers.required],
    ['a field is gone', (d) => delete Made(d).properties.state],
  ])('breaks: %s', (_rule, mutate) => expect(verdictOn(asyncapi, mutate)).toBe('breaking'));
  testEvery<Row>([
    ['an operation is new', (d) => (d.operations.postMore = { action: 'send' })],
    ['a state is new', (d) => Made(d).properties.state.anyOf[0].enum.push('Used')],
  ])('passes: %s', (_rule, mutate) => expect(verdictOn(asyncapi, mutate)).toBe('compatible'));
});
