/** The recipes of CONTRIBUTING.md: an example of each, made on a copy, generates, compiles and passes its tests. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { copyProject } from '../support/docs/project-copy.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'contract-tests/docs/recipes');

/** The patch that is an example of each row. */
const recipes = {
  'a GET operation': 'get-operation.patch',
  'a POST operation': 'post-operation.patch',
  'a management operation': 'management-operation.patch',
  'a property of something that operators manage, such as an SMS service': 'property.patch',
  'an error': 'error.patch',
  'a connector kind': 'connector-kind.patch',
  'a chat-app parameter': 'chat-app-parameter.patch',
  'a setting': 'setting.patch',
};
const patches = Object.values(recipes);

let copy: string;

beforeAll(() => {
  copy = copyProject();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('every patch is the example of a row', () => {
  expect(readdirSync(folder).sort()).toEqual([...patches].sort());
});

test.each(Object.entries(recipes))('%s takes the files and lines that its row says', (row, patch) => {
  const rows = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split('\n');
  const cells = rows.find((line) => line.startsWith(`| ${row} |`))?.split(' | ');
  const text = readFileSync(join(folder, patch), 'utf8');
  const [files, lines] = [/^\+\+\+ /gm, /^\+(?!\+\+ )/gm].map((mark) => text.match(mark)?.length);
  expect(cells?.at(-1)).toBe(`${files}, ${lines} |`);
});

test('together they generate, compile and pass the tests that they add to', () => {
  for (const patch of patches) run('git', ['apply', '-C1', join(folder, patch)]);
  run(process.execPath, ['tools/generate.ts']);
  run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit']);
  const tests = patches.flatMap((patch) => {
    const text = readFileSync(join(folder, patch), 'utf8');
    return [...text.matchAll(/^\+\+\+ b\/(\S+\.test\.ts)$/gm)].map(([, file = '']) => file);
  });
  // They walk the documents: every published error, every property that operators may change; and the clients, which have
  // every operation and parameter.
  for (const walk of ['every-operation/published-errors', 'management/every-operation'])
    tests.push(`contract-tests/operations/${walk}.test.ts`);
  tests.push('src/architecture', 'spec/promises', 'src/cli/management', 'clients/requests.slow.test.ts');
  const jest = [
    '--liftoff-only',
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--maxWorkers=1',
  ];
  run(process.execPath, [...jest, ...tests]);
}, 600_000);

function run(command: string, words: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd: copy,
    encoding: 'utf8',
    // HOME: where Go keeps what it has compiled.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: tmpdir(),
      GIT_CEILING_DIRECTORIES: tmpdir(),
    },
    maxBuffer: 1e8,
  });
  if (status !== 0) throw new Error(`${command} ${words.join(' ')}\n${stdout}${stderr}`);
}
