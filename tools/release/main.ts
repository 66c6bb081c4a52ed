/**
 * Makes all that a release consists of, in dist/: `npm run release`. Nothing is published from here: the workflow of a tag
 * does that with what this has made. The commit must be tagged v‹version›, and CHANGELOG.md must have a section on it, unless --dry-run is
 * given. The same commit makes the same bytes.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../programs.ts';
import { packGo, packPhp, packPython, packTypeScript } from './clients.ts';
import { packContract } from './contract.ts';
import { output, type Release } from './release.ts';
import { packService, writeSbom } from './service.ts';

const dryRun = process.argv.includes('--dry-run');
const git = (...words: string[]) => output('git', words, { cwd: root }).trim();
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const release: Release = {
  version,
  folder: join(root, 'dist'),
  // Of the commit, so that two runs make the same files.
  time: Number(git('log', '-1', '--format=%ct')),
};

const faults = [...versionFaults(), ...(dryRun ? [] : releaseFaults())];
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

/** Packages that are installed together have one version. */
function versionFaults(): string[] {
  const manifests = {
    'clients/typescript/package.json': /"version": "(.*)"/,
    'clients/python/pyproject.toml': /^version = "(.*)"/m,
    'deploy/helm/tarishi/Chart.yaml': /^version: (.*)$/m,
  };
  return Object.entries(manifests).flatMap(([file, pattern]) => {
    const [, written] = pattern.exec(readFileSync(join(root, file), 'utf8')) ?? [];
    return written === version ? [] : [`${file} has version ${written}, package.json ${version}`];
  });
}

function releaseFaults(): string[] {
  const tag = `v${version}`;
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  return [
    ...(git('status', '--porcelain') === '' ? [] : ['there are changes that are not committed']),
    ...(git('tag', '--points-at', 'HEAD').split('\n').includes(tag)
      ? []
      : [`the commit is not tagged ${tag}`]),
    ...(changelog.includes(`\n## ${version}`) ? [] : [`CHANGELOG.md has no section "## ${version}"`]),
  ];
}
