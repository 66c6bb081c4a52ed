/** What a release consists of: complete, the same each time, and installed by its package managers. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { goEnvironment, languages } from '../../clients/testing/clients.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dist = join(root, 'dist');
const directory = mkdtempSync(join(tmpdir(), 'tarishi-release-'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

// What an index does not have at once it will not have.
const env = { ...process.env, PIP_RETRIES: '0' };
const release = (...words: string[]) =>
  spawnSync(process.execPath, ['tools/release/main.ts', ...words], { cwd: root, env, encoding: 'utf8' });
const listed = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.slice(66));
/** A new folder, and a program in it; its output. */
const inFolder = (name: string, files: Record<string, string> = {}) => {
  const folder = join(directory, name);
  mkdirSync(folder);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  return (program: string, words: readonly string[], more: NodeJS.ProcessEnv = {}) =>
    execFileSync(program, words, {
      cwd: folder,
      encoding: 'utf8',
      stdio: 'pipe',
      env: { ...env, ...more },
    });
};

let first: string;
beforeAll(() => {
  const made = release('--dry-run');
  if (made.status !== 0) throw new Error(made.stderr);
  first = made.stdout;
}, 180_000);

test('has a package for each registry, the contract, a bill of materials, and the sums of all', () => {
  const go = 'go/github.com/tarishi/tarishi/clients/go/@v';
  expect(listed(first)).toEqual([
    `${go}/list`,
    ...['info', 'mod', 'zip'].map((kind) => `${go}/v${version}.${kind}`),
    `tarishi-${version}.cdx.json`,
    `tarishi-${version}.tgz`,
    `tarishi-client-${version}.tgz`,
    `tarishi-client-${version}.zip`,
    `tarishi-openapi-${version}.tgz`,
    `tarishi_client-${version}-py3-none-any.whl`,
    `tarishi_client-${version}.tar.gz`,
  ]);
  expect(readFileSync(join(dist, 'SHA256SUMS'), 'utf8')).toBe(first);
  const sbom = JSON.parse(readFileSync(join(dist, `tarishi-${version}.cdx.json`), 'utf8'));
  expect(sbom.bomFormat).toBe('CycloneDX');
  const components = sbom.components.map(({ name }: { name: string }) => name);
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(components).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(components).not.toContain('jest');
});

test('a second run makes the same bytes', () => {
  expect(release('--dry-run').stdout).toBe(first);
}, 180_000);

test('npm: the contract has types that a program compiles with', () => {
  const body = `import type { components } from 'tarishi-openapi/openapi';
import document from 'tarishi-openapi/openapi.json' with { type: 'json' };
const body: components['schemas']['SmsRequest'] = { type: 'SendToMany', addresses: [], message: 'Habari' };
console.log(body.type, Object.keys((document as any).paths).length > 10);
`;
  const run = inFolder('contract', { 'package.json': '{"type":"module"}', 'main.ts': body });
  run('npm', ['install', '--offline', '--silent', join(dist, `tarishi-openapi-${version}.tgz`)]);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = '--strict --module nodenext --resolveJsonModule --types node --typeRoots'.split(' ');
  run(process.execPath, [tsc, ...options, join(root, 'node_modules/@types'), 'main.ts']);
  expect(run(process.execPath, ['main.js'])).toBe('SendToMany true\n');
}, 60_000);

test('pip: wheel and sdist install the same package, which is complete', () => {
  if (!languages.includes('python')) return;
  const run = inFolder('python');
  const source = join(root, 'clients/python/src/tarishi');
  const modules = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(\.py|py\.typed)$/.test(name),
  );
  for (const file of ['-py3-none-any.whl', '.tar.gz']) {
    const archive = join(dist, `tarishi_client-${version}${file}`);
    run('python3', ['-m', 'venv', '--without-pip', 'environment', '--clear']);
    run('python3', ['-m', 'pip', '--python', 'environment/bin/python', 'install', '--quiet', archive]);
    const program =
      'import tarishi, importlib.metadata as m; print(tarishi.__path__[0], m.version("tarishi-client"))';
    const [installed = '', found] = run('environment/bin/python', ['-c', program]).trim().split(' ');
    expect(found).toBe(version);
    expect(readdirSync(installed, { recursive: true })).toEqual(expect.arrayContaining(modules));
  }
}, 120_000);

test('Composer takes what the archive has', () => {
  if (
    !languages.includes('php') ||
    !languages.includes('python') ||
    spawnSync('composer', ['--version']).status !== 0
  )
    return;
  const run = inFolder('php', { 'composer.json': '{}' });
  const env = {
    COMPOSER_ALLOW_SUPERUSER: '1',
    COMPOSER_HOME: join(directory, 'composer'),
    COMPOSER_NO_INTERACTION: '1',
  };
  // What Packagist's repository of the package has; Composer itself reads archives with PHP's zip only.
  run('python3', ['-m', 'zipfile', '-e', join(dist, `tarishi-client-${version}.zip`), 'package']);
  run('composer', ['config', 'repositories.tarishi', 'path', 'package'], env);
  run('composer', ['config', 'repositories.packagist.org', 'false'], env);
  run('composer', ['require', 'tarishi/client'], env);
  const program = `require 'vendor/autoload.php'; echo class_exists('Tarishi\\Tarishi') ? 'found' : 'missing';`;
  expect(run('php', ['-r', program])).toBe('found');
}, 60_000);

test('go get takes the module from a proxy', () => {
  if (!languages.includes('go')) return;
  const main = `package main

import tarishi "github.com/tarishi/tarishi/clients/go"

func main() { _ = tarishi.New }
`;
  const run = inFolder('go', { 'main.go': main, 'go.mod': 'module example.com/shop\n\ngo 1.19\n' });
  const env = {
    ...goEnvironment,
    GOPROXY: `file://${dist}/go`,
    GONOSUMDB: '*',
    GONOSUMCHECK: '1',
    GOFLAGS: '-mod=mod',
    GOMODCACHE: join(directory, 'modules'),
  };
  run('go', ['get', `github.com/tarishi/tarishi/clients/go@v${version}`], env);
  run('go', ['build', './...'], env);
  run('go', ['clean', '-modcache'], env);
}, 120_000);
