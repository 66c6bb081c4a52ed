/** What is published of a document: everything but its extensions. */
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { documentOf, loadDocument } from './document.ts';

describe.each(['openapi', 'management', 'sandbox'] as const)('generated/%s.yaml', (name) => {
  const document = loadDocument(name);

  test('has no extension, in YAML or JSON, and says the same in both', () => {
    expect(load(document.text)).toEqual(document.published);
    expect(JSON.stringify(document.published)).not.toMatch(/"x-[a-z-]+":/);
  });
});

test('an extension is removed with everything below it; the rest stays as written', () => {
  const text = 'a: 1\nx-one: 2\nb:\n  x-two:\n    deep:\n\n      - 4\n  # kept\n  c: x-three\n\nd: 5\n';
  expect(documentOf({}, () => text).text).toBe('a: 1\nb:\n  # kept\n  c: x-three\n\nd: 5\n');
});

test('only our own rules enforce what they check', () => {
  const schema = { type: 'string', maxLength: 3, 'x-enforced-by': 'phones' };
  const { published, enforced } = documentOf({ schema }, () => '');
  expect(published).toEqual({ schema: { type: 'string', maxLength: 3 } });
  expect(enforced).toEqual({ schema: { type: 'string', 'x-enforced-by': 'phones' } });
});
