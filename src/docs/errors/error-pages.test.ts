/** The pages of the errors say what the catalogue and the document say. */

import { describe, expect, test } from '@jest/globals';
import { readDocument } from '../../contract/document.ts';
import { errors } from '../../platform/errors.ts';
import { testEvery } from '../../platform/for-every-testing.ts';
import { errorEntries, errorExamples, errorPage } from './error-pages.ts';

const document = readDocument('openapi');
const entries = errorEntries(document);
const examples = errorExamples(document);

/** The sentence or pattern of an entry as a pattern: `…` stands for anything, numbers for any number. */
function patternOf(sentence: string): RegExp {
  const escaped = sentence.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('…', '.+').replace(/\d+/g, '\\d+')}$`);
}

testEvery(examples.map((one) => ({ ...one, title: `${one.status} ${one.name}` })))(
  'every named example of an error is on one page, with the same sentence: $title',
  (example) => {
    const pages = entries.filter(({ shown }) => shown.some((one) => one.value === example.value));
    expect(pages.map(({ slug }) => slug)).toHaveLength(1);
    const { desc, error_description } = example.value as { desc?: string; error_description?: string };
    const { rejection, slug } = pages[0] ?? { rejection: errors.noRoute(), slug: '' };
    // Violations of a schema say what was violated.
    if (slug !== 'schema-violation') expect(desc ?? error_description).toMatch(patternOf(rejection.desc));
  },
);

describe('every page', () => {
  testEvery(entries)('$slug says more than its sentence', (entry) => {
    const { cause, fix, rejection } = entry;
    expect(cause.length).toBeGreaterThan(20);
    expect(fix.length).toBeGreaterThan(20);
    const page = errorPage(entry);
    for (const part of ['\n## Cause\n', '\n## Fix\n']) expect(page).toContain(part);
    expect(page).toMatch(new RegExp(`HTTP/1.1 ${rejection.status} [A-Z]`));
  });

  testEvery(['slug', 'title'] as const)('has a %s of its own', (name) => {
    expect(new Set(entries.map((entry) => entry[name])).size).toBe(entries.length);
  });

  test('has a title without what varies: no …, no pointer, no number, and no end of a sentence', () => {
    const titles = entries.map(({ title }) => title);
    expect(titles.filter((title) => /[…/]|[.:]$|(?<!UTF-)\d/.test(title))).toEqual([]);
  });

  test('names only examples that the document has', () => {
    const known = new Set(examples.map(({ name }) => name));
    const named = entries.flatMap(({ examples = [] }) => examples);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

test('every sentence that the document gives to a rule of its schemas has a page', () => {
  const sentences: string[] = [];
  JSON.stringify(document, (key, value) => {
    if (key === 'x-errors') sentences.push(...Object.values<string>(value));
    return value;
  });
  expect(sentences.length).toBeGreaterThan(0);
  const known = entries.map(({ rejection }) => rejection.desc);
  const written = sentences.map((sentence) => sentence.replace('{pointer}', '/…'));
  expect(written.filter((sentence) => !known.includes(sentence))).toEqual([]);
});

testEvery([
  ['rate-limit-exceeded', 'Retry-After: 1'],
  ['method-not-allowed', 'Allow: POST'],
  ['method-not-allowed', 'Error-Code: method-not-allowed'],
])('%s shows the header %s', (slug, header) => {
  const entry = entries.find((one) => one.slug === slug);
  expect(entry && errorPage(entry)).toContain(`\n${header}\n`);
});
