/** The day of attack in the guide "Protect your bill" is run on a sandbox, and ends as the guide says. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { examplesIn } from '../support/docs/guides.ts';
import { type Prism, startSandbox } from '../support/document/prism.ts';

const directory = mkdtempSync(join(tmpdir(), 'tarishi-attack-'));
let sandbox: Prism;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(directory, { recursive: true, force: true });
});

test('robots get 20 codes, and people all of theirs', async () => {
  const examples = examplesIn('docs/guides/protect-your-bill.md');
  const place = examples.findIndex(({ language }) => language === 'js');
  const program = join(directory, 'attack.mjs');
  writeFileSync(program, examples[place]?.text ?? '');
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: { ...process.env, TARISHI_URL: sandbox.baseUrl },
  });
  expect(stdout.trim()).toBe(examples[place + 1]?.text.trim());
  expect(stdout).toContain('robots: 20 of 500 sent');
});
