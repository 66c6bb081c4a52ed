/** The version of a release stands in all its places, and the changelog is ready for the next one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../programs.ts';
import { releaseFaults, versionFaults } from './version.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('every place has the version of package.json, and another one is named', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(versionFaults(version)).toEqual([]);
  expect(versionFaults('9.9.9')).toContain(
    `deploy/helm/tarishi/Chart.yaml has version ${version}, package.json 9.9.9`,
  );
  expect(read('CHANGELOG.md')).toContain('\n## Unreleased\n');
});

test('a commit that is not the release of its version is refused, with all that is missing', () => {
  const changelog = '# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2027-01-31\n';
  const release = { version: '1.2.3', isClean: true, tags: ['v1.2.3'], changelog };
  expect(releaseFaults(release)).toEqual([]);
  expect(releaseFaults({ version: '1.2.4', isClean: false, tags: ['v1.2.3'], changelog })).toEqual([
    'there are changes that are not committed',
    'the commit is not tagged v1.2.4',
    'CHANGELOG.md has no section "## 1.2.4"',
  ]);
});
