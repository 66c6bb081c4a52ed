/** Compares every document of the contract with its last release, and fails if a change is not allowed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { compareDocuments } from './document.ts';
import { report } from './report.ts';
import { isNode, type Root, resolve } from './tree.ts';

const spec = new URL('../spec/', import.meta.url);
const released = new URL('released/', spec);
const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');

for (const name of readdirSync(released).filter((file) => file.endsWith('.yaml'))) {
  const present = new URL(name, spec);
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
