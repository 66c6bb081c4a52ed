/** The Python and PHP clients as packages: installed elsewhere, they are complete. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import { languages } from './testing/clients.ts';

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

function unique(name: string, place: number, all: string[]): boolean {
  return all.indexOf(name) === place;
}
