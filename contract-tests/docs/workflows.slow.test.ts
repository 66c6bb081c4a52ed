/** The workflows of spec/workflows.yaml, run by Redocly's Respect against the service and the sandbox. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { load } from 'js-yaml';
import { commandOf } from '../../tools/programs.ts';
import { type Prism, startSandbox } from '../support/document/prism.ts';
import { type Receiver, startReceiver } from '../support/service/receiver.ts';
import { sharedDemo } from '../support/shared/service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tarishi-workflows-'));
const text = readFileSync(join(root, 'spec/workflows.yaml'), 'utf8');
let sandbox: Prism;
let receiver: Receiver;

beforeAll(async () => {
  [sandbox, receiver] = await Promise.all([startSandbox(), startReceiver()]);
});
afterAll(async () => {
  receiver.close();
  await sandbox.stop();
  rmSync(directory, { recursive: true });
});

/** The end of what Respect prints, and its exit code. */
function run(baseUrl: string, clientSecret: string, file = 'spec/workflows.yaml', ...words: string[]) {
  const inputs = {
    clientId: 'demo',
    clientSecret,
    serviceId: 'demo-sms',
    phone: '+254711364000',
    callbackUrl: receiver.url('/workflow'),
    sendAt: new Date(Date.now() + 3_600_000).toISOString(),
    since: new Date(Date.now() - 3_600_000).toISOString(),
  };
  const given = Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]);
  const { workflows } = load(text) as { workflows: { workflowId: string }[] };
  const names = words.length > 0 ? words : workflows.map(({ workflowId }) => workflowId);
  const chosen = names.flatMap((name) => ['--workflow', name]);
  const command = [commandOf('@redocly/cli', 'redocly'), 'respect', file, '--server', `tarishi=${baseUrl}`];
  return new Promise<{ code: unknown; output: string }>((resolve) =>
    execFile(
      process.execPath,
      [...command, ...given, ...chosen],
      { cwd: root, env: { ...process.env, REDOCLY_TELEMETRY: 'off' } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    ),
  );
}

test('on the service', async () => {
  const { demo } = await sharedDemo();
  const { code, output } = await run(demo.baseUrl, demo.clientSecret);
  expect(output).toMatch(/Workflows: 4 passed, 4 total/);
  expect(code).toBe(0);
});

test('on the sandbox', async () => {
  const { code, output } = await run(sandbox.baseUrl, 'tarishi-sandbox-client-secret');
  expect(output).toMatch(/Workflows: 4 passed, 4 total/);
  expect(code).toBe(0);
});

test('a response that a workflow does not expect fails it', async () => {
  const file = join(directory, 'workflows.yaml');
  const changed = text.replace(
    '$response.body#/states/Cancelled == 1',
    '$response.body#/states/Cancelled == 2',
  );
  writeFileSync(file, changed.replace('../generated', join(root, 'generated')));
  const { code, output } = await run(
    sandbox.baseUrl,
    'tarishi-sandbox-client-secret',
    file,
    'scheduleAndCancel',
  );
  expect(output).toMatch(/Workflows: 1 failed, 1 total/);
  expect(code).toBe(1);
});
