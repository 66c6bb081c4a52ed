/** The files that the documents are written in: each is found by its name, is part of its document, and says nothing twice. */
import { globSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { readDocument } from '../src/contract/document.ts';
import { testEvery } from '../src/platform/for-every-testing.ts';

type Tree = ReturnType<typeof JSON.parse>;

const read = (file: string): Tree => load(readFileSync(new URL(file, import.meta.url), 'utf8'));
const filesOf = (pattern: string) => globSync(pattern, { cwd: import.meta.dirname }).sort();

describe.each(['openapi', 'management'] as const)('%s', (name) => {
  const root = read(`${name}.yaml`);
  const listed: string[] = Object.values<Tree>({ ...root.paths, ...root.webhooks }).flatMap((item) =>
    Object.values<Tree>(item).map(({ $ref }) => $ref),
  );

  test('lists each file of an operation, once', () => {
    expect(listed.length).toBeGreaterThan(20);
    expect([...listed].sort()).toEqual(filesOf(`${name}/{operations,webhooks}/*.yaml`));
  });

  test('an operation is in the file that is named after it', () => {
    const operations = listed.filter((file) => file.includes('/operations/'));
    expect(operations).toEqual(operations.map((file) => `${name}/operations/${read(file).operationId}.yaml`));
  });

  testEvery(['schemas', 'responses', 'parameters', 'headers'])('refers to all of its %s', (kind) => {
    const files = filesOf(`${name}/{${kind}.yaml,${kind}/*.yaml}`);
    const written = files.flatMap((file) => Object.keys(read(file)));
    expect(written.length).toBeGreaterThan(1);
    const used = Object.keys(readDocument(name).components[kind]);
    expect(written.filter((one) => !used.includes(one))).toEqual([]);
    expect(new Set(written).size).toBe(written.length);
  });
});

test('a schema that both documents have is written once', () => {
  const schemasIn = (name: string) =>
    filesOf(`${name}/schemas/*.yaml`).flatMap((file) => Object.entries<Tree>(read(file)));
  const clients = new Map(schemasIn('openapi'));
  const again = schemasIn('management').filter(([name, schema]) =>
    isDeepStrictEqual(schema, clients.get(name)),
  );
  expect(again.map(([name]) => name)).toEqual([]);
});
