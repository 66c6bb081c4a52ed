/** What the README says works when it is pasted: its calls, and every file it names; and the list of settings. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { examplesIn } from '../support/docs/guides.ts';
import { expectShown, missingTools, paste } from '../support/docs/shell.ts';
import { type Service, startService } from '../support/service/service.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tarishi = join(root, 'bin', 'tarishi.js');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const examples = examplesIn('README.md');
const setUp = examples.find(({ text }) => text.startsWith('demo()'))?.text ?? '';
const calls = examples.flatMap(({ text }, place) =>
  text.startsWith('curl') ? [{ call: text, shown: examples[place + 1] }] : [],
);

if (missingTools.length > 0)
  process.stdout.write(`skipped: ${missingTools.join(', ')} not on this machine\n`);
const withTools = missingTools.length > 0 ? describe.skip : describe;

withTools('beside a running service', () => {
  let service: Service;
  /** Looks like the project's folder to who runs the commands. */
  let folder: string;

  beforeAll(async () => {
    service = await startService();
    folder = mkdtempSync(join(tmpdir(), 'tarishi-readme-'));
    symlinkSync(service.dataDirectory, join(folder, 'data'));
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(async () => {
    await service?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  test('every call returns what is shown', () => {
    expect(calls).toHaveLength(2);
    const outputs = paste([setUp, ...calls.map(({ call }) => call)], { cwd: folder }).slice(1);
    calls.forEach(({ shown }, place) => {
      expect(outputs[place]).toContain('"requestId"');
      expectShown(outputs[place] ?? '', shown);
    });
  });

  test('the TypeScript program prints the id of its request', () => {
    const program = examples.find(({ language }) => language === 'ts')?.text ?? '';
    const file = join(folder, 'send.ts');
    writeFileSync(
      file,
      program.replace("'tarishi-client'", `'${join(root, 'clients/typescript/src/client.ts')}'`),
    );
    const { baseUrl, clientId, clientSecret } = service.demo;
    const run = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        TARISHI_URL: baseUrl,
        TARISHI_CLIENT_ID: clientId,
        TARISHI_CLIENT_SECRET: clientSecret,
      },
    });
    expect(run).toMatchObject({ stderr: '', status: 0, stdout: expect.stringMatching(/^[\da-f-]{36}\n$/) });
  });

  test('`tarishi send` prints the outcome of the SMS, as shown', () => {
    const place = examples.findIndex(({ text }) => text.startsWith('npx tarishi send'));
    const command = (examples[place]?.text ?? '').replace('npx tarishi', tarishi);
    const [output = ''] = paste([command], { cwd: folder });
    expect(output).toContain(examples[place + 1]?.text);
  });

  test('an SMS goes through the provider of the demo, as docs/networks/http-sms.md has it', async () => {
    const { baseUrl } = service.demo;
    const written = examplesIn('docs/networks/http-sms.md').find(
      ({ attributes }) => attributes.run === 'demo',
    );
    const commands = (written?.text ?? '')
      .replaceAll('npx tarishi', tarishi)
      .replace('http://127.0.0.1:3000', baseUrl);
    const sending = commands.split('\n').at(-1) ?? '';
    expect(paste([commands], { cwd: folder }).join()).toMatch(/state +Delivered/);
    // A change takes effect within two seconds.
    await until(async () => {
      expect(paste([sending], { cwd: folder }).join()).toMatch(/state +Delivered/);
      const { body } = await service.operate('GET /messages?limit=1');
      return body.items[0].connector === 'trial';
    });
    paste([`${tarishi} channel set Safaricom --connector simulator`], { cwd: folder });
  });
});

test('every linked file exists', () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target);
  const files = links.filter((target) => !/^https?:/.test(target));
  expect(files.length).toBeGreaterThan(8);
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test('docs/settings.md lists every setting and nothing else', () => {
  const settings = readFileSync(join(root, 'docs/settings.md'), 'utf8');
  const config = readFileSync(join(root, 'src/process/config.ts'), 'utf8');
  const read = [...config.matchAll(/(?:text|number|flag|matching)\(\s*'([A-Z_]+)'/g)].map(([, name]) => name);
  const listed = [...settings.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
  expect(new Set(listed)).toEqual(new Set(read));
});

test('every npm script it mentions exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

async function until(reached: () => Promise<boolean>): Promise<void> {
  while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 50));
}
