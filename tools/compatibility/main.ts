/**
 * Compares every document of the contract with its last release, a copy in spec/released/, and fails if a change is not
 * allowed; nor may a released migration change. Until there is a release, everything may. With --release it makes that copy. Not
 * openapi-changes: its npm package downloads a program from GitHub, on which `npm ci` would depend.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { migrations } from '../../src/platform/db/migrate.ts';
import { compareDocuments } from './document.ts';
import { report } from './report.ts';
import { isNode, type Root, resolve } from './tree.ts';

const generated = new URL('../../generated/', import.meta.url);
const released = new URL('../../spec/released/', import.meta.url);
const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');

const digests = new URL('migrations.json', released);
if (process.argv.includes('--release')) release();

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

if (existsSync(digests))
  for (const [name, digest] of Object.entries<string>(JSON.parse(readFileSync(digests, 'utf8'))))
    if (migrations[name]?.digest?.() !== digest) {
      process.stdout.write(
        `migration ${name} is not as released, and databases have run it: undo that, and add a migration\n`,
      );
      process.exitCode = 1;
    }

function release(): void {
  mkdirSync(released, { recursive: true });
  for (const name of readdirSync(generated).filter((file) => file.endsWith('.yaml')))
    copyFileSync(new URL(name, generated), new URL(name, released));
  const known = Object.entries(migrations).map(([name, { digest }]) => [name, digest?.()]);
  writeFileSync(digests, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
}

function read(file: URL): Root {
  const document: unknown = load(readFileSync(file, 'utf8'));
  return isNode(document) ? document : {};
}

function versionOf(document: Root): string {
  return String(resolve(document, document.info).version ?? 'none');
}
