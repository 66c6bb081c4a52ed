/**
 * The mock and the sandbox as partners use them. The mock, plain Prism on the document, accepts every published request.
 * Both return any documented response on request. The commands, programs and workflows in their docs work as written.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { answerExamples, type DocumentedOperation, operations, requestsOf } from '../../spec/document.ts';
import { forEvery } from '../../src/platform/for-every-testing.ts';
import { freePort } from '../../src/platform/free-port-testing.ts';
import { commandOf } from '../../tools/programs.ts';
import { examplesIn } from '../support/docs/guides.ts';
import { expectShown, missingTools, paste } from '../support/docs/shell.ts';
import { type Prism, startMock, startSandbox } from '../support/document/prism.ts';
import { askAsPublished } from '../support/document/published-requests.ts';
import { type Receiver, startReceiver } from '../support/service/receiver.ts';
import { sharedDemo } from '../support/shared/service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tarishi-partners-'));
const run = promisify(execFile);
let partners: Record<'mock' | 'sandbox', Prism>;

beforeAll(async () => {
  const [mock, sandbox] = await Promise.all([startMock(), startSandbox()]);
  partners = { mock, sandbox };
});
beforeEach(() => fetch(`${partners.sandbox.baseUrl}/sandbox/reset`, { method: 'POST' }));
afterAll(async () => {
  await Promise.all(Object.values(partners).map(({ stop }) => stop()));
  rmSync(directory, { recursive: true, force: true });
});

test('every response in the document has an example, but for files', () => {
  const shown = new Set(
    answerExamples().map(({ operation, status }) => `${operation.operationId} ${status}`),
  );
  const documented = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([, { content }]) => content?.['*/*'] === undefined)
      .map(([status]) => `${operationId} ${status}`),
  );
  expect(documented.filter((one) => !shown.has(one))).toEqual([]);
});

test.each(['mock', 'sandbox'] as const)('the %s shows each response that Prefer names', (kind) =>
  forEvery(
    answerExamples().map((one) => ({
      ...one,
      title: `${one.operation.operationId} ${one.status} ${one.name}`,
    })),
    '$title',
    async ({ operation, status, name, value }) => {
      const headers = { prefer: `code=${status}, example=${name}` };
      const answer = await askAsPublished(partners[kind].baseUrl, operation, { token: 'any', headers });
      expect([String(answer.status), answer.body]).toEqual([status, value]);
      expect(answer.headers.get('sl-violations')).toBeNull();
    },
  ));

describe('without Prefer the mock', () => {
  const named = operations.map((operation) => ({ operation, name: operation.operationId }));
  const ask = (operation: DocumentedOperation, more: Parameters<typeof askAsPublished>[2] = {}) =>
    askAsPublished(partners.mock.baseUrl, operation, { token: 'any', ...more });

  test('accepts every published request', () =>
    forEvery(named, '$name', async ({ operation }) => {
      const bodies =
        operation.requestBody === undefined ? [undefined] : requestsOf(operation).examples.values();
      for (const body of bodies) expect((await ask(operation, { body })).status).toBe(200);
    }));

  test('returns 401 without a token', () =>
    forEvery(
      named.filter(({ operation }) => operation.security?.length),
      '$name',
      async ({ operation }) => {
        const answer = await ask(operation, { token: undefined });
        expect([answer.status, answer.body]).toEqual([401, { desc: 'A bearer token is required.' }]);
      },
    ));

  test('rejects a wrong body with a documented response, and says what is wrong', () =>
    forEvery(
      named.filter(({ operation }) => operation.requestBody !== undefined),
      '$name',
      async ({ operation }) => {
        const answer = await ask(operation, { body: { type: 'NoSuchMode' } });
        expect(answer.status).toBe(400);
        expect(answer.headers.get('sl-violations')).toContain('"location":["request","body"');
      },
    ));
});

describe('the page', () => {
  const examples = examplesIn('docs/sandbox.md');

  (missingTools.length > 0 ? test.skip : test)('every command works as it is pasted, in order', () => {
    const commands = examples.flatMap(({ language, text }, index) =>
      language === 'sh' ? [{ text, index }] : [],
    );
    const here = (text: string) =>
      text
        .replace('http://127.0.0.1:4010', partners.mock.baseUrl)
        .replace('http://127.0.0.1:4020', partners.sandbox.baseUrl);
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
  const runs = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap((step) => step.run ?? []));

  test.each(
    runs.filter((line) => line.includes('tarishi conform')),
  )('its workflow runs: %s', async (line) => {
    const port = String(await freePort());
    const words = line.replaceAll(':4000', `:${port}`).trim().split(/\s+/);
    const junit = join(directory, words[words.indexOf('--junit') + 1] ?? '');
    const args = words.slice(words.indexOf('conform')).map((word) => (word.endsWith('.xml') ? junit : word));
    // One situation: the kit itself is tested in all of them.
    args.splice(1, 0, '--only', args.includes('--receiver') ? 'duplicate' : 'normal');
    const { stdout } = await run(process.execPath, [join(root, 'src/main.ts'), ...args], {
      cwd: join(root, 'examples/python'),
      env: { ...process.env, PORT: port },
    });
    expect(stdout).toContain('No situation of 1 failed.');
    expect(readFileSync(junit, 'utf8')).toContain('failures="0" skipped="0"');
  });

  test('has the version of Prism that is installed', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const page = readFileSync(join(root, 'docs/sandbox.md'), 'utf8');
    expect(page).toContain(`@stoplight/prism-cli@${devDependencies['@stoplight/prism-cli']}`);
  });
});

test('in the day of attack of "Protect your bill" robots get 20 codes, and people all of theirs', async () => {
  const examples = examplesIn('docs/guides/protect-your-bill.md');
  const place = examples.findIndex(({ language }) => language === 'js');
  const program = join(directory, 'attack.mjs');
  writeFileSync(program, examples[place]?.text ?? '');
  const { stdout } = await run(process.execPath, [program], {
    env: { ...process.env, TARISHI_URL: partners.sandbox.baseUrl },
  });
  expect(stdout.trim()).toBe(examples[place + 1]?.text.trim());
  expect(stdout).toContain('robots: 20 of 500 sent');
});

describe("the workflows of spec/workflows.yaml, run by Redocly's Respect", () => {
  const text = readFileSync(join(root, 'spec/workflows.yaml'), 'utf8');
  const { workflows }: { workflows: { workflowId: string }[] } = parse(text);
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  /** What Respect prints, and its exit code. */
  async function respect(baseUrl: string, clientSecret: string, file: string, names: readonly string[]) {
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
    const chosen = names.flatMap((name) => ['--workflow', name]);
    const command = [commandOf('@redocly/cli', 'redocly'), 'respect', file, '--server', `tarishi=${baseUrl}`];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off' };
    const { stdout, stderr, code } = await run(process.execPath, [...command, ...given, ...chosen], {
      cwd: root,
      env,
    }).then(
      (printed) => ({ ...printed, code: 0 }),
      (failed: { stdout: string; stderr: string; code: number }) => failed,
    );
    return { code, output: stdout + stderr };
  }

  const all = workflows.map(({ workflowId }) => workflowId);
  const allPass = `Workflows: ${all.length} passed, ${all.length} total`;

  test('pass on the service', async () => {
    const { demo } = await sharedDemo();
    const { code, output } = await respect(demo.baseUrl, demo.clientSecret, 'spec/workflows.yaml', all);
    expect(output).toContain(allPass);
    expect(code).toBe(0);
  });

  test('pass on the sandbox, and one fails whose response it does not expect', async () => {
    const file = join(directory, 'workflows.yaml');
    const changed = text.replace(
      '$response.body#/states/Cancelled == 1',
      '$response.body#/states/Cancelled == 2',
    );
    writeFileSync(file, changed.replace('../generated', join(root, 'generated')));
    const onSandbox = (path: string, names: readonly string[]) =>
      respect(partners.sandbox.baseUrl, 'tarishi-sandbox-client-secret', path, names);
    const good = await onSandbox('spec/workflows.yaml', all);
    expect(good.output).toContain(allPass);
    expect(good.code).toBe(0);
    const bad = await onSandbox(file, ['scheduleAndCancel']);
    expect(bad.output).toContain('Workflows: 1 failed, 1 total');
    expect(bad.code).toBe(1);
  });
});
