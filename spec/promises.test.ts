/** The list of promises is complete: each has a test that exists, and nothing that the code or the documents promise is missing. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { operations as management } from '../contract-tests/support/management/document.ts';
import { faults } from '../src/platform/errors/management.ts';
import { sentences } from '../src/platform/errors/parameters.ts';
import { slugOf } from '../src/platform/errors/slugs.ts';
import { errors } from '../src/platform/errors.ts';
import { operations } from './document.ts';

const root = join(import.meta.dirname, '..');
const folder = join(import.meta.dirname, 'promises');

interface Row {
  page: string;
  promise: string;
  file: string;
  /** Part of a title as the file has it, with the placeholders of a table; the words of a sentence need none. */
  title: string | undefined;
}

const rows: readonly Row[] = readdirSync(folder).flatMap((page) =>
  readFileSync(join(folder, page), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| promise |'))
    .map((line) => {
      const [promise = '', proof = ''] = line.replace(/ *\|$/, '').slice(2).split(' | ');
      const [file = '', title] = proof.split(' › ');
      return { page, promise, file, title };
    }),
);
const rowsOf = (page: string) => rows.filter((row) => row.page === page);

const sources = new Map<string, string>();
function sourceOf(file: string): string | undefined {
  if (!file.endsWith('.test.ts') || !existsSync(join(root, file))) return undefined;
  const source = sources.get(file) ?? readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'");
  sources.set(file, source);
  return source;
}

type Makers = Readonly<Record<string, (...details: never[]) => string | { sentence: string } | Error>>;

const catalogues = Object.entries<Makers>({ '': errors, 'management ': faults, 'parameter ': sentences });
const makers = new Map(
  catalogues.flatMap(([prefix, made]) =>
    Object.entries(made).map(([name, make]) => [`${prefix}${name}`, { name, make }] as const),
  ),
);

const blank = '\u0001';

/** Whether a test says the sentence, with any details, or names the error where the words are those of somebody else. */
function asserts(source: string, { name, make }: { name: string; make: Makers[string] }): boolean {
  // A list of one is as good as a word where a detail may be either.
  const made = make(...(Array(9).fill([blank]) as never[]));
  const said = typeof made === 'string' ? made : String('sentence' in made ? made.sentence : made.message);
  const words = said.split(blank);
  const escaped = words.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const hasWords = words.some((part) => part.trim().length > 3);
  if (hasWords && new RegExp(escaped.join('[^\\n]*')).test(source)) return true;
  return source.includes(`'${slugOf(name)}'`) || new RegExp(`\\b${name}\\(`).test(source);
}

function faultOf({ page, promise, file, title }: Row): string | undefined {
  const source = sourceOf(file);
  if (source === undefined) return `${promise}: there is no test ${file}`;
  const maker = page === 'sentences.md' ? makers.get(promise) : undefined;
  if (maker !== undefined) return asserts(source, maker) ? undefined : `${promise}: not asserted in ${file}`;
  if (title === undefined || !source.includes(title)) return `${promise}: ${file} has no test "${title}"`;
  return undefined;
}

test('every promise names a test that exists', () => {
  expect(rows.map(faultOf).filter((fault) => fault !== undefined)).toEqual([]);
});

test('no promise is listed twice', () => {
  const listed = rows.map(({ page, promise }) => `${page}: ${promise}`);
  expect(listed.filter((one, at) => listed.indexOf(one) !== at)).toEqual([]);
});

test('every sentence of an error is listed, and no other', () => {
  const listed = rowsOf('sentences.md').map(({ promise }) => promise);
  expect(listed.sort()).toEqual([...makers.keys()].sort());
});

test('every documented status of every operation is listed, and no other', () => {
  const documented = [
    ...operations.map((operation) => ({ ...operation, prefix: '' })),
    ...management.map((operation) => ({ ...operation, prefix: 'management ' })),
  ].flatMap(({ prefix, operationId, responses }) =>
    Object.keys(responses).map((status) => ({
      own: `${prefix}${operationId} ${status}`,
      all: `${prefix}every ${status}`,
    })),
  );
  const listed = rowsOf('responses.md').map(({ promise }) => promise);
  expect(documented.filter(({ own, all }) => !listed.includes(own) && !listed.includes(all))).toEqual([]);
  const known = new Set(documented.flatMap(({ own, all }) => [own, all]));
  expect(listed.filter((promise) => !known.has(promise))).toEqual([]);
});
