/** The version of a release, wherever it is written: which places differ, and all of them set at once. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../programs.ts';

/** What comes before the version in each file that has it. */
const places: Readonly<Record<string, RegExp>> = {
  'package.json': /^ {2}"version": "/gm,
  'package-lock.json': /"name": "tarishi",\n +"version": "/g,
  'clients/typescript/package.json': /^ {2}"version": "/gm,
  'clients/typescript/README.md': /tarishi-client-(?=\d)/g,
  'clients/python/pyproject.toml': /^version = "/gm,
  'deploy/helm/tarishi/Chart.yaml': /^(?:version|appVersion): /gm,
  'docs/operate/deploy.md': /tarishi-(?=\d)/g,
  'docs/sandbox.md': /tarishi-(?=\d)/g,
};

const pattern = (before: RegExp) => new RegExp(`(${before.source})(\\d+\\.\\d+\\.\\d+)`, before.flags);

/** Packages that are installed together have one version. */
export function versionFaults(version: string): string[] {
  return Object.entries(places).flatMap(([file, before]) => {
    const written = [...readFileSync(join(root, file), 'utf8').matchAll(pattern(before))].map(
      ([, , one]) => one,
    );
    if (written.length === 0) return [`${file} has no version`];
    return written.flatMap((one) =>
      one === version ? [] : [`${file} has version ${one}, package.json ${version}`],
    );
  });
}

/** Also begins its section of the changelog with what is unreleased, on the day of `now`. */
export function setVersion(version: string, now: Date): void {
  for (const [file, before] of Object.entries(places))
    change(file, (text) => text.replace(pattern(before), `$1${version}`));
  const section = `## Unreleased\n\n## ${version} - ${now.toISOString().slice(0, 10)}\n`;
  change('CHANGELOG.md', (text) =>
    text.includes(`\n## ${version} `) ? text : text.replace('## Unreleased\n', section),
  );
}

function change(file: string, edit: (text: string) => string): void {
  const path = join(root, file);
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}
