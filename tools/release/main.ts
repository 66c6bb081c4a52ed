/**
 * Makes all that a release consists of, in dist/: `npm run release`. Nothing is published from here: the workflow of a tag
 * does that with what this has made. The commit must be tagged v‹version›, and CHANGELOG.md must have a section on it, unless --dry-run is
 * given. The same commit makes the same bytes. With --version 1.2.3 it makes nothing, and writes that version wherever it
 * stands.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../programs.ts';
import { packGo, packPhp, packPython, packTypeScript } from './clients.ts';
import { packContract } from './contract.ts';
import { output, type Release } from './release.ts';
import { packService, writeSbom } from './service.ts';
import { releaseFaults, setVersion, versionFaults } from './version.ts';

const dryRun = process.argv.includes('--dry-run');
const git = (...words: string[]) => output('git', words, { cwd: root }).trim();
const next = process.argv.indexOf('--version');
if (next !== -1) {
  const wanted = process.argv[next + 1] ?? '';
  if (!/^\d+\.\d+\.\d+$/.test(wanted)) {
    process.stderr.write('--version must be followed by a version such as 1.2.3\n');
    process.exit(1);
  }
  setVersion(wanted, new Date());
  process.exit(0);
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const release: Release = {
  version,
  folder: join(root, 'dist'),
  // Of the commit, so that two runs make the same files.
  time: Number(git('log', '-1', '--format=%ct')),
};

const faults = [...versionFaults(version), ...(dryRun ? [] : releaseFaults({ version, ...commit() }))];
if (faults.length > 0) {
  process.stderr.write(faults.map((fault) => `${fault}\n`).join(''));
  process.exit(1);
}

rmSync(release.folder, { recursive: true, force: true });
mkdirSync(release.folder);
for (const make of [packService, writeSbom, packContract, packTypeScript, packPython, packPhp, packGo])
  make(release);
const files = readdirSync(release.folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(release.folder.length + 1))
  .sort();
const sums = files.map((file) => {
  const hash = createHash('sha256').update(readFileSync(join(release.folder, file)));
  return `${hash.digest('hex')}  ${file}\n`;
});
writeFileSync(join(release.folder, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));

function commit() {
  return {
    isClean: git('status', '--porcelain') === '',
    tags: git('tag', '--points-at', 'HEAD').split('\n'),
    changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  };
}
