/** The Python, PHP and Go clients as packages: installed elsewhere, they are complete. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { goEnvironment, languages } from './testing/clients.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'tarishi-clients-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What pip builds the package with. */
const pip = () =>
  spawnSync('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', directory, 'setuptools']);

test('Python: pip installs it, with its types', () => {
  if (!languages.includes('python') || pip().status !== 0) {
    process.stderr.write('skipped, because there is no Python, no pip or no package index\n');
    return;
  }
  // pip writes beside the sources.
  const source = join(directory, 'python');
  cpSync(join(here, 'python'), source, { recursive: true });
  const target = join(directory, 'installed');
  const found = ['--no-deps', '--no-index', '--find-links', directory];
  execFileSync('python3', ['-m', 'pip', 'install', '--quiet', ...found, '--target', target, source], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  expect(readdirSync(join(target, 'tarishi')).sort()).toEqual(
    [...readdirSync(join(here, 'python/src/tarishi')), '__pycache__'].filter(unique).sort(),
  );
  const names = execFileSync('python3', ['-W', 'error', '-c', 'import tarishi; print(*tarishi.__all__)'], {
    env: { PATH: process.env.PATH, PYTHONPATH: target },
    encoding: 'utf8',
  });
  expect(names.split(/\s+/)).toEqual(expect.arrayContaining(['Tarishi', 'TarishiError', 'verify_receipt']));
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
  const replaced = `tarishi.example/tarishi => ${client}`;
  const required = 'tarishi.example/tarishi v0.0.0';
  writeFileSync(
    join(receiver, 'go.mod'),
    `module receiver\n\ngo 1.19\n\nrequire ${required}\n\nreplace ${replaced}\n`,
  );
  expect(go(receiver, 'vet', './...')).toMatchObject({ stderr: '', status: 0 });
});

function unique(name: string, place: number, all: string[]): boolean {
  return all.indexOf(name) === place;
}
