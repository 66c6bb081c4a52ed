/** In every document of the project: a field that is gone is noticed, wherever it is. */
import { describe, expect, test } from '@jest/globals';
import { loadDocument, readDocument } from '../../src/contract/document.ts';
import { schemasBehind } from '../../src/contract/references.ts';
import { forEvery } from '../../src/platform/for-every-testing.ts';
import { asyncApiOf } from '../asyncapi.ts';
import { compareDocuments } from './document.ts';

// biome-ignore lint/suspicious/noExplicitAny: mutations reach anywhere into a document.
type Tree = any;

/** The document with those operations only that use a schema: comparing all of them for each schema takes minutes. */
function around(document: Tree, name: string): Tree {
  if (document.paths === undefined) return document;
  const paths = Object.entries(document.paths).filter(([, item]) => schemasBehind(document, item).has(name));
  return { ...document, paths: Object.fromEntries(paths.slice(0, 1)), webhooks: {} };
}

describe.each(['openapi', 'management', 'sandbox', 'asyncapi'] as const)('generated/%s.yaml', (file) => {
  const document: Tree = file === 'asyncapi' ? asyncApiOf(loadDocument().published) : readDocument(file);
  const objects: [string, Tree][] = Object.entries<Tree>(document.components.schemas).filter(
    ([, schema]) => schema.properties !== undefined,
  );

  const breakingWithout = (name: string, fields: readonly string[]) => {
    const before = around(document, name);
    const after = JSON.parse(JSON.stringify(before));
    for (const field of fields) delete after.components.schemas[name].properties[field];
    return compareDocuments(before, after).filter(({ breaking }) => breaking);
  };

  test('removing any field is noticed', () =>
    forEvery(objects, '%s: removing any field is noticed', (name, { properties }) => {
      // Without its tag a variant is another: so the tag by itself, and all other fields at once.
      const [tags = [], others = []] = [true, false].map((tag) =>
        Object.keys(properties).filter((one) => (properties[one].const !== undefined) === tag),
      );
      for (const tag of tags) expect(breakingWithout(name, [tag])).not.toEqual([]);
      const noticed = breakingWithout(name, others).map(({ place }) => place.split('/').at(-1));
      expect(noticed).toEqual(expect.arrayContaining(others));
    }));
});
