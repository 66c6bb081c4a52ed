/** The Python, PHP and Go clients as packages: installed elsewhere, they are complete. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { answerExamples } from '../spec/document.ts';
import { goEnvironment, languages, startInstalled } from './testing/clients.ts';
import { reads } from './testing/reads.ts';
import { json, startScriptedServer } from './testing/scripted-server.ts';
import { sends } from './testing/sends.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tarishi-clients-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What pip builds the package with. */
const pip = () =>
  spawnSync('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', directory, 'setuptools']);

test('Python: the wheel is complete, and an environment with nothing else passes the cases', async () => {
  if (!languages.includes('python') || pip().status !== 0) {
    process.stderr.write('skipped, because there is no Python, no pip or no package index\n');
    return;
  }
  // pip writes beside the sources.
  const source = join(directory, 'python');
  cpSync(join(here, 'python'), source, { recursive: true });
  const python = (...words: string[]) => execFileSync('python3', ['-m', ...words], { stdio: 'pipe' });
  const found = ['--quiet', '--no-deps', '--no-index', '--find-links', directory];
  python('pip', 'wheel', ...found, '--wheel-dir', directory, source);
  const environment = join(directory, 'environment');
  python('venv', '--without-pip', environment);
  const interpreter = join(environment, 'bin/python');
  python('pip', '--python', interpreter, 'install', ...found, 'tarishi-client');
  const files = readdirSync(join(here, 'python/src'), { recursive: true, encoding: 'utf8' });
  const [packages = ''] = readdirSync(join(environment, 'lib'));
  const installed = join(environment, 'lib', packages, 'site-packages');
  expect(readdirSync(installed, { recursive: true, encoding: 'utf8' })).toEqual(
    expect.arrayContaining(files.filter((name) => /\.py(\.typed)?$/.test(name))),
  );

  const server = await startScriptedServer();
  const client = startInstalled(interpreter);
  const connection = { baseUrl: server.url, clientId: 'c', clientSecret: 's' };
  for (const { operationId, call, args } of [...sends, ...reads]) {
    const [example] = answerExamples().filter(
      (one) => one.operation.operationId === operationId && one.status === '200',
    );
    // Files have none.
    if (example === undefined) continue;
    const { next: _, ...answer } = example.value as Record<string, unknown>;
    server.replies.push(json(200, answer));
    expect(await client.run({ call, args, client: connection })).toEqual({
      value: expect.anything(),
      pauses: [],
    });
  }
  client.stop();
  await server.close();
});

test('Python: mypy finds nothing in the package and the programs of the README', () => {
  const mypy = (...words: string[]) =>
    spawnSync('python3', ['-m', 'mypy', '--cache-dir', join(directory, 'mypy'), ...words], {
      encoding: 'utf8',
      env: { ...process.env, MYPYPATH: join(here, 'python/src') },
    });
  if (!languages.includes('python-async') || mypy('--version').status !== 0) {
    process.stderr.write('skipped, because there is no mypy or no httpx\n');
    return;
  }
  expect(mypy('--strict', join(here, 'python/src'))).toMatchObject({ status: 0 });
  const readme = readFileSync(join(here, 'python/README.md'), 'utf8');
  const [before = ''] = readme.split('## Receive receipts');
  const blocks = (text: string) => [...text.matchAll(/^```python\n(.*?)^```/gms)].map(([, block]) => block);
  const program = `def top_up() -> None: ...\n\n\n${blocks(before).join('\n')}`;
  const file = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const fits = file('fits.py', program);
  const awaits = file('awaits.py', blocks(readme.split('## asyncio')[1] ?? '').join('\n'));
  expect(mypy(fits, awaits).stdout).toMatch(/^Success/);
  const misfits = {
    'denomination="1GB", text': 'denomination="1TB", text',
    '"text": "Habari Asha"': '"message": "Habari Asha"',
    '"BodyNamedParameter"': '"BodyParameter"',
    'error.code': 'error.errorCode',
  };
  for (const [good, bad] of Object.entries(misfits)) {
    expect(program).toContain(good);
    expect(mypy(file('misfit.py', program.replace(good, bad))).stdout).toMatch(/misfit\.py:\d+: error/);
  }
});

test('PHP: each class is where Composer looks for it, and compiles', () => {
  const { autoload } = JSON.parse(readFileSync(join(here, 'php/composer.json'), 'utf8'));
  expect(autoload['psr-4']).toEqual({ 'Tarishi\\': 'src/' });
  const files = readdirSync(join(here, 'php/src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.php'),
  );
  for (const file of files) {
    const source = readFileSync(join(here, 'php/src', file), 'utf8');
    const [name = '', ...folders] = file.replace('.php', '').split('/').toReversed();
    expect(source).toMatch(new RegExp(`^(final )?(class|interface) ${name}\\b`, 'm'));
    expect(source).toContain(`namespace ${['Tarishi', ...folders.toReversed()].join('\\')};`);
  }
  expect(files).toContain('Tarishi.php');
});

test('PHP: Composer installs it as its README says', () => {
  if (spawnSync('composer', ['--version'], { stdio: 'pipe' }).status !== 0) {
    process.stderr.write('skipped: Composer is not installed\n');
    return;
  }
  const [, install = ''] =
    /^```sh\n(composer .*?)^```/ms.exec(readFileSync(join(here, 'php/README.md'), 'utf8')) ?? [];
  const app = join(directory, 'php-app');
  mkdirSync(app);
  writeFileSync(join(app, 'composer.json'), '{}');
  symlinkSync(join(here, '..'), join(directory, 'tarishi'));
  const env = {
    ...process.env,
    COMPOSER_ALLOW_SUPERUSER: '1',
    COMPOSER_HOME: join(directory, 'composer'),
    COMPOSER_NO_INTERACTION: '1',
  };
  execFileSync('sh', ['-ec', install], { cwd: app, env, stdio: 'pipe' });
  const program = `require 'vendor/autoload.php'; echo Tarishi\\Tarishi::class, class_exists('Tarishi\\Tarishi');`;
  expect(execFileSync('php', ['-r', program], { cwd: app, encoding: 'utf8' })).toBe('Tarishi\\Tarishi1');
});

test('Go: gofmt and vet find nothing, and the receiver of the README compiles', () => {
  if (!languages.includes('go')) return;
  const client = join(here, 'go');
  const go = (cwd: string, ...words: string[]) =>
    spawnSync('go', words, { cwd, env: goEnvironment, encoding: 'utf8' });
  expect(spawnSync('gofmt', ['-l', client], { encoding: 'utf8' })).toMatchObject({ stdout: '', stderr: '' });
  expect(go(client, 'vet', './...')).toMatchObject({ stderr: '', status: 0 });
  expect(go(client, 'list', '-f', '{{join .Imports " "}}').stdout).not.toContain('.');
  const receiver = join(directory, 'receiver');
  mkdirSync(receiver);
  const [, program = ''] =
    /## Receive receipts\n\n```go\n(.*?)^```/ms.exec(readFileSync(join(client, 'README.md'), 'utf8')) ?? [];
  writeFileSync(join(receiver, 'main.go'), `${program}\nfunc isNew(string) bool { return true }\n`);
  const replaced = `github.com/tarishi/tarishi/clients/go => ${client}`;
  const required = 'github.com/tarishi/tarishi/clients/go v0.0.0';
  writeFileSync(
    join(receiver, 'go.mod'),
    `module receiver\n\ngo 1.19\n\nrequire ${required}\n\nreplace ${replaced}\n`,
  );
  expect(go(receiver, 'vet', './...')).toMatchObject({ stderr: '', status: 0 });
});
