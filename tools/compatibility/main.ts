/**
 * Compares every document of the contract with its last release, a copy in spec/released/, and fails if a change is not
 * allowed. Until there is a release, every change is. Not openapi-changes: its npm package downloads a
 * program from GitHub, on which `npm ci` would depend.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { compareDocuments } from './document.ts';
import { report } from './report.ts';
import { isNode, type Root, resolve } from './tree.ts';

const generated = new URL('../../generated/', import.meta.url);
const released = new URL('../../spec/released/', import.meta.url);
const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');

const names = existsSync(released) ? readdirSync(released).filter((file) => file.endsWith('.yaml')) : [];
if (names.length === 0)
  process.stdout.write('Nothing has been released: there is nothing that a change could break.\n');
for (const name of names) {
  const present = new URL(name, generated);
  // A document that was removed is one without operations.
  const [before, after] = [read(new URL(name, released)), existsSync(present) ? read(present) : {}];
  const { text, passed } = report({
    name,
    versions: { released: versionOf(before), present: versionOf(after) },
    changes: compareDocuments(before, after),
    changelog,
  });
  process.stdout.write(text);
  if (!passed) process.exitCode = 1;
}

function read(file: URL): Root {
  const document: unknown = load(readFileSync(file, 'utf8'));
  return isNode(document) ? document : {};
}

function versionOf(document: Root): string {
  return String(resolve(document, document.info).version ?? 'none');
}
