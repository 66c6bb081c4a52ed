/** The released document lets responses and receipts grow: what a later version of 1.x adds is valid by it. */

import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { OpenAPIBackend } from 'openapi-backend';
import { type DocumentedOperation, examplesOf, type Media } from '../../spec/document.ts';
import { readDocument } from '../../spec/read.ts';
import { closed } from '../../src/http/contract/closed.ts';

const released = readDocument('released/openapi');
const api = new OpenAPIBackend({ definition: released, quick: true });
await api.init();
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

const operations = api.router
  .getOperations()
  .filter(({ path }) => path in released.paths) as unknown as DocumentedOperation[];

/** Everything that clients read, with the examples that show it. */
const read = operations.flatMap((operation) => {
  const { operationId, responses, callbacks = {} } = operation;
  const receipts = Object.values(callbacks).flatMap((callback) =>
    Object.values(callback).flatMap(({ post }) => (post === undefined ? [] : [post])),
  );
  return [
    ...Object.entries(responses).map(([status, { content }]) => ({
      name: `${operationId} ${status}`,
      content,
    })),
    ...receipts.map((post) => ({ name: post.operationId, content: post.requestBody.content })),
  ].flatMap(({ name, content = {} }) => Object.values(content).map((media) => ({ name, media })));
});

/** The known values of every extensible enum of the document. */
const extensible = new Set<string>();
JSON.stringify(released, (_key, value) => {
  if (Array.isArray(value?.anyOf) && value.anyOf.length === 2)
    for (const known of value.anyOf[0]?.enum ?? []) extensible.add(known);
  return value;
});
const denominations: string[] = released.components.schemas.Denomination.enum;

/** As a later version might say it: more properties in every object, and new values. */
function grown(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => grown(item));
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).map(([name, inner]) => [name, grown(inner, name)]);
    return Object.fromEntries(isMap(value) ? entries : [...entries, ['addedLater', { any: ['thing'] }]]);
  }
  const known =
    extensible.has(String(value)) || (key === 'denomination' && denominations.includes(String(value)));
  return known && key !== 'type' ? 'AddedLater' : value;
}

/** Keyed by channels, bundles, categories or phones: one more key is no new property. */
function isMap(value: object): boolean {
  const keys = Object.keys(value);
  return keys.length === 0 || keys.every((key) => !/^[a-z]/.test(key) || key === 'errors');
}

const accepts = ({ schema }: Media, value: unknown) => [ajv.validate(schema, value), ajv.errors];

describe.each(read)('$name', ({ media }) => {
  test.each([...examplesOf(media)])('%s, with more properties and new values', (_name, example) => {
    expect(accepts(media, grown(example))).toEqual([true, null]);
    expect(ajv.validate(closed(media.schema), grown(example))).toBe(false);
  });
});

test('every state of a receipt may become another', () => {
  const receipts = read.filter(({ name }) => name.startsWith('receive'));
  expect(receipts).toHaveLength(4);
  for (const { media } of receipts)
    for (const example of examplesOf(media).values())
      expect(grown(example)).toMatchObject({ deliveryStatus: 'AddedLater' });
});
