/** In every document of the project: what would break its clients is noticed, and what would not passes. */
import { describe, expect, test } from '@jest/globals';
import { loadDocument, readDocument } from '../../src/contract/document.ts';
import { schemasBehind } from '../../src/contract/references.ts';
import { forEvery } from '../../src/platform/for-every-testing.ts';
import { asyncApiOf } from '../asyncapi.ts';
import { compareDocuments } from './document.ts';

// biome-ignore lint/suspicious/noExplicitAny: mutations reach anywhere into a document.
type Tree = any;

const field = { type: 'string' };

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

  const changesAfter = (name: string, mutate: (schema: Tree) => unknown) => {
    const before = around(document, name);
    const after = JSON.parse(JSON.stringify(before));
    mutate(after.components.schemas[name]);
    return compareDocuments(before, after);
  };
  const breakingWithout = (name: string, fields: readonly string[]) =>
    changesAfter(name, ({ properties }) => {
      for (const one of fields) delete properties[one];
    }).filter(({ breaking }) => breaking);

  test('has schemas', () => expect(objects.length).toBeGreaterThan(2));

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

  test('an optional field may be added', () =>
    forEvery(objects, '%s: an optional field may be added', (name, _schema) => {
      const changes = changesAfter(name, ({ properties }) => (properties.addedLater = field));
      expect(changes.map(({ what, breaking }) => [what, breaking])).toContainEqual(['field is new', false]);
      expect(changes.every(({ breaking }) => !breaking)).toBe(true);
    }));
});

describe('the public contract', () => {
  const document = readDocument('openapi');
  const states = Object.keys(document.components.schemas).filter((name) => /DeliveryStatus$/.test(name));

  test('closing it breaks clients', () =>
    forEvery(
      ['SentSms', 'Problem', 'SmsError', 'SmsDeliveryReceipt', 'TokenResponse'],
      '%s: closing it breaks clients',
      (name) => {
        const after = JSON.parse(JSON.stringify(document));
        after.components.schemas[name].additionalProperties = false;
        expect(compareDocuments(document, after).some(({ breaking }) => breaking)).toBe(true);
      },
    ));

  test('a state may be added', () =>
    forEvery(states, '%s: a state may be added', (name) => {
      const after = JSON.parse(JSON.stringify(document));
      after.components.schemas[name].anyOf[0].enum.push('AddedLater');
      const changes = compareDocuments(document, after);
      expect(changes.map(({ what, breaking }) => [what, breaking])).toContainEqual([
        'value AddedLater is new',
        false,
      ]);
      expect(changes.every(({ breaking }) => !breaking)).toBe(true);
    }));
});
