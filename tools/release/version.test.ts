/** The version of a release stands in all its places, and the changelog is ready for the next one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../programs.ts';
import { versionFaults } from './version.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('every place has the version of package.json, and another one is named', () => {
  const { version } = JSON.parse(read('package.json'));
  expect(versionFaults(version)).toEqual([]);
  expect(versionFaults('9.9.9')).toContain(
    `deploy/helm/tarishi/Chart.yaml has version ${version}, package.json 9.9.9`,
  );
  expect(read('CHANGELOG.md')).toContain('\n## Unreleased\n');
});
