/** The version of a release: which of its places differ, all of them set at once, and whether a commit is that release. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../programs.ts';

/** In each file that has it: what comes before the version, and the version. */
const places: Readonly<Record<string, RegExp>> = {
  'package.json': /^( {2}"version": ")(\d+\.\d+\.\d+)/gm,
  'package-lock.json': /("name": "tarishi",\n {2,6}"version": ")(\d+\.\d+\.\d+)/g,
  'clients/typescript/package.json': /^( {2}"version": ")(\d+\.\d+\.\d+)/gm,
  'clients/typescript/README.md': /(tarishi-client-)(\d+\.\d+\.\d+)/g,
  'clients/python/pyproject.toml': /^(version = ")(\d+\.\d+\.\d+)/gm,
  'deploy/helm/tarishi/Chart.yaml': /^((?:version|appVersion): )(\d+\.\d+\.\d+)/gm,
  'docs/operate/deploy.md': /(tarishi-)(\d+\.\d+\.\d+)/g,
  'docs/sandbox.md': /(tarishi-)(\d+\.\d+\.\d+)/g,
};

/** Packages that are installed together have one version. */
export function versionFaults(version: string): string[] {
  return Object.entries(places).flatMap(([file, pattern]) => {
    const written = [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, , one]) => one);
    if (written.length === 0) return [`${file} has no version`];
    return written.flatMap((one) =>
      one === version ? [] : [`${file} has version ${one}, package.json ${version}`],
    );
  });
}

interface Commit {
  version: string;
  isClean: boolean;
  tags: readonly string[];
  changelog: string;
}

/** What a commit lacks to be the release of its version. */
export function releaseFaults({ version, isClean, tags, changelog }: Commit): string[] {
  return [
    ...(isClean ? [] : ['there are changes that are not committed']),
    ...(tags.includes(`v${version}`) ? [] : [`the commit is not tagged v${version}`]),
    ...(changelog.includes(`\n## ${version} `) ? [] : [`CHANGELOG.md has no section "## ${version}"`]),
  ];
}

/** Also begins its section of the changelog with what is unreleased, on the day of `now`. */
export function setVersion(version: string, now: Date): void {
  for (const [file, pattern] of Object.entries(places))
    change(file, (text) => text.replace(pattern, `$1${version}`));
  const section = `## Unreleased\n\n## ${version} - ${now.toISOString().slice(0, 10)}\n`;
  change('CHANGELOG.md', (text) =>
    text.includes(`\n## ${version} `) ? text : text.replace('## Unreleased\n', section),
  );
}

function change(file: string, edit: (text: string) => string): void {
  const path = join(root, file);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}
