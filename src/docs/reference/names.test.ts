/** The documents give generators of clients names and types that they can use as they are. */
import { describe, expect, test } from '@jest/globals';
import { readDocument } from '../../contract/document.ts';

type Tree = ReturnType<typeof JSON.parse>;

/** What generators append to an operation's id to name what goes in and out; a schema of that name becomes `…2`. */
const suffixes = ['Request', 'Response', 'Responses', 'Result', 'Body', 'Data', 'Params', 'Error', 'Errors'];

/** Classes of every JavaScript program, which a generated type of the same name hides. */
const globals = new Set(Object.getOwnPropertyNames(globalThis));

function nodesOf(node: unknown): Tree[] {
  if (node === null || typeof node !== 'object') return [];
  return [node, ...Object.values(node).flatMap(nodesOf)];
}

describe.each(['openapi', 'management', 'sandbox'] as const)('generated/%s.yaml', (name) => {
  const document = readDocument(name);
  const schemas = Object.keys(document.components.schemas);
  const nodes = nodesOf(document);

  test('no schema has the name that a generator gives to a part of an operation', () => {
    const taken = nodes.flatMap(({ operationId: id }) =>
      typeof id !== 'string'
        ? []
        : suffixes.map((suffix) => id.charAt(0).toUpperCase() + id.slice(1) + suffix),
    );
    expect(taken.length).toBeGreaterThan(suffixes.length);
    expect(schemas.filter((schema) => taken.includes(schema))).toEqual([]);
  });

  test('no schema hides a global class', () => {
    expect(schemas.filter((schema) => globals.has(schema))).toEqual([]);
  });

  test('nothing beside the known values of an extensible enum makes it any string', () => {
    const widened = nodes.filter(({ anyOf, type, allOf }) => {
      const extensible = JSON.stringify(anyOf ?? '').includes('UnknownValue');
      return extensible && (type !== undefined || allOf !== undefined);
    });
    expect(widened).toEqual([]);
  });
});
