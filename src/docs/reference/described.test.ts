/** Every schema and property of the documents is described, with its limits and an example. */
import { describe, expect, test } from '@jest/globals';
import { loadDocument } from '../../contract/document.ts';
import { isReference } from '../../contract/references.ts';
import type { Schema } from '../../contract/types.ts';

/** A schema of its own name, or a property: what a reader looks up. */
interface Place {
  path: string;
  schema: Schema;
}

function* placesIn(path: string, schema: Schema, named: boolean): Generator<Place> {
  if (isReference(schema)) return;
  if (named) yield { path, schema };
  for (const [name, inner] of Object.entries(schema.properties ?? {}))
    yield* placesIn(`${path}.${name}`, inner, true);
  const { items, additionalProperties, oneOf = [], anyOf = [] } = schema;
  if (items !== undefined) yield* placesIn(`${path}[]`, items, false);
  if (typeof additionalProperties === 'object') yield* placesIn(`${path}.*`, additionalProperties, false);
  for (const inner of [...oneOf, ...anyOf]) yield* placesIn(path, inner, false);
}

/** One of few known values, which are listed. */
const isListed = ({ enum: values, anyOf = [], type, ...schema }: Schema) =>
  'const' in schema ||
  type === 'boolean' ||
  values !== undefined ||
  anyOf.some((inner) => inner.enum !== undefined);

/** Sentences: as long as what they repeat of a request. */
const isSentence = (path: string) => /\.(desc|error|error_description|reason|reasonCode)$/.test(path);

function isLimited({ path, schema }: Place): boolean {
  switch (schema.type) {
    case 'string':
      return isListed(schema) || schema.maxLength !== undefined || isSentence(path);
    case 'integer':
    case 'number':
      return (
        isListed(schema) ||
        ((schema.minimum ?? schema.exclusiveMinimum) !== undefined && schema.maximum !== undefined)
      );
    case 'array':
      return schema.maxItems !== undefined;
    default:
      return true;
  }
}

const pathsOf = (some: readonly Place[]) => some.map(({ path }) => path);

describe.each(['openapi', 'management', 'sandbox'] as const)('generated/%s.yaml', (name) => {
  const { schemas } = loadDocument(name).published.components;
  const places = Object.entries(schemas).flatMap(([named, schema]) => [...placesIn(named, schema, true)]);

  test('has schemas and properties', () => {
    expect(pathsOf(places)).toEqual(expect.arrayContaining(['Problem', 'Problem.desc']));
  });

  test('describes each schema and property', () => {
    const bare = places.filter(({ schema }) => schema.description === undefined && !('const' in schema));
    expect(pathsOf(bare)).toEqual([]);
  });

  // The sandbox answers tests on the same machine.
  if (name !== 'sandbox')
    test('limits each', () => {
      expect(pathsOf(places.filter((place) => !isLimited(place)))).toEqual([]);
    });

  test('shows an example of each value that is not one of a list', () => {
    const values = places.filter(
      ({ schema }) => ['string', 'integer', 'number'].includes(String(schema.type)) && !isListed(schema),
    );
    const bare = values.filter(({ schema }) => schema.example === undefined && schema.examples === undefined);
    // A default shows one too, unless it is empty.
    expect(pathsOf(bare.filter(({ schema }) => !schema.default))).toEqual([]);
  });
});
