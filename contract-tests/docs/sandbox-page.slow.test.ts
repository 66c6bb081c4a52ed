/** The page for partners, docs/sandbox.md: its commands are pasted, and its workflow is run. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { freePort } from '../../src/platform/free-port-testing.ts';
import { examplesIn } from '../support/docs/guides.ts';
import { expectShown, missingTools, paste } from '../support/docs/shell.ts';
import { type Prism, startMock, startSandbox } from '../support/document/prism.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const examples = examplesIn('docs/sandbox.md');
const directory = mkdtempSync(join(tmpdir(), 'tarishi-page-'));
let mock: Prism;
let sandbox: Prism;

beforeAll(async () => {
  [mock, sandbox] = await Promise.all([startMock(), startSandbox()]);
});
afterAll(async () => {
  await Promise.all([mock.stop(), sandbox.stop()]);
  rmSync(directory, { recursive: true, force: true });
});

(missingTools.length > 0 ? test.skip : test)('every command works as it is pasted, in order', () => {
  const commands = examples.flatMap(({ language, text }, index) =>
    language === 'sh' ? [{ text, index }] : [],
  );
  const here = (text: string) =>
    text.replace('http://127.0.0.1:4010', mock.baseUrl).replace('http://127.0.0.1:4020', sandbox.baseUrl);
  const outputs = paste(
    commands.map(({ text }) => here(text)),
    {},
  );
  expect(outputs).toHaveLength(commands.length);
  for (const [place, { index }] of commands.entries())
    if (examples[index + 1]?.language === 'json') expectShown(outputs[place] ?? '', examples[index + 1]);
});

interface Workflow {
  jobs: Record<string, { steps: { run?: string; with?: Record<string, unknown> }[] }>;
}

const workflow: Workflow = parse(examples.find(({ language }) => language === 'yaml')?.text ?? '');
const runs = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

test.each(runs.filter((run) => run.includes('tarishi conform')))('the workflow runs: %s', async (run) => {
  const port = String(await freePort());
  const words = run.replaceAll(':4000', `:${port}`).trim().split(/\s+/);
  const junit = join(directory, words[words.indexOf('--junit') + 1] ?? '');
  const args = words.slice(words.indexOf('conform')).map((word) => (word.endsWith('.xml') ? junit : word));
  // One situation: the kit itself is tested in all of them.
  args.splice(1, 0, '--only', args.includes('--receiver') ? 'duplicate' : 'normal');
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'src/main.ts'), ...args], {
    cwd: join(root, 'examples/python'),
    env: { ...process.env, PORT: port },
  });
  expect(stdout).toContain('No situation of 1 failed.');
  expect(readFileSync(junit, 'utf8')).toContain('failures="0" skipped="0"');
});

test('the version of Prism on the page is the one that is installed', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const page = readFileSync(join(root, 'docs/sandbox.md'), 'utf8');
  expect(page).toContain(`@stoplight/prism-cli@${devDependencies['@stoplight/prism-cli']}`);
});
