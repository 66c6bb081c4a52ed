/** The Python, PHP and Go clients as their tools judge them, and as their READMEs install them. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { goEnvironment, languages } from './testing/clients.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tarishi-clients-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

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
