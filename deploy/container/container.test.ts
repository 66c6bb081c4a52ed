/** Containerfile and Compose file: their steps, run here as far as that needs no container. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { testEvery } from '../../src/platform/for-every-testing.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const steps = readFileSync(new URL('Containerfile', import.meta.url), 'utf8')
  .replaceAll('\\\n', '')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => ({ verb: line.split(' ')[0] ?? '', rest: line.replace(/^[A-Z]+\s+/, '') }));
const compose = parse(readFileSync(new URL('compose.yaml', import.meta.url), 'utf8'), { merge: true });
const ignored = readFileSync(join(root, '.containerignore'), 'utf8').trim().split('\n');
const settings = new Set(readFileSync(join(root, 'src/process/config.ts'), 'utf8').match(/'[A-Z][A-Z_]+'/g));

const directory = mkdtempSync(join(tmpdir(), 'tarishi-container-'));
afterAll(() => rmSync(directory, { recursive: true }));

const kept = (path: string) =>
  !ignored.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
const rest = (verb: string) => steps.filter((step) => step.verb === verb).map((step) => step.rest);

describe('the image', () => {
  test('is based on the release line of Node that the service needs', () => {
    expect(rest('FROM')).toEqual(['docker.io/library/node:24-slim']);
  });

  test('sets only settings that exist', () => {
    const names = rest('ENV').flatMap((line) => line.match(/\b[A-Z_]+(?==)/g) ?? []);
    expect(names).toContain('METRICS_HOST');
    expect(names.filter((name) => !settings.has(`'${name}'`))).toEqual([]);
  });

  test('its build steps produce a tree whose entry point runs as the final user', () => {
    const tree = join(directory, 'tree');
    for (const files of rest('COPY').map((line) => line.split(' ').slice(0, -1)))
      for (const file of files)
        cpSync(join(root, file), join(tree, file), {
          recursive: true,
          filter: (path) => kept(relative(root, path)),
        });
    expect(existsSync(join(tree, 'node_modules'))).toBe(false);
    expect(existsSync(join(tree, 'contract-tests'))).toBe(false);
    const [install = ''] = rest('RUN');
    expect(install).toContain('npm ci --omit=dev');
    // The packages as npm would install them take half a minute and a registry: TARISHI_INSTALL=1.
    if (process.env.TARISHI_INSTALL === '1')
      execFileSync('sh', ['-c', install.replace(/&& npm cache.*/, '')], { cwd: tree, stdio: 'ignore' });
    else symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    const [entrypoint = '[]'] = rest('ENTRYPOINT');
    const [node, ...words] = JSON.parse(entrypoint) as string[];
    expect(node).toBe('node');
    const run = spawnSync(process.execPath, [...words, '--help'], { cwd: tree, encoding: 'utf8' });
    expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: tarishi') });
    expect(rest('USER')).toEqual(['node']);
  });

  test('its health check probes the port that the service listens on', () => {
    expect(rest('HEALTHCHECK')[0]).toContain('http://127.0.0.1:9464/healthz');
    expect(rest('EXPOSE')).toEqual(['3000 9464']);
  });
});

describe('settings of a deployment and data', () => {
  const secrets = ['.env', '.env.production', 'deploy/container/.env', 'src/.env', 'docs/.env.local'];
  const stored = ['data/secret-key', 'data/demo.json'];

  test.each([...secrets, ...stored])('%s is in no context of an image, and in no commit', (path) => {
    expect(kept(path)).toBe(false);
    expect(spawnSync('git', ['check-ignore', '--quiet', '--no-index', path], { cwd: root }).status).toBe(0);
  });

  test('are ignored by Docker as by Podman, and only folders that are needed are copied', () => {
    expect(readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n')).toEqual(ignored);
    const copied = rest('COPY').flatMap((line) => line.split(' ').slice(0, -1));
    expect(copied.filter((path) => /^[./]*$/.test(path) || /[*?]/.test(path))).toEqual([]);
  });

  test('are in no package', () => {
    const project = join(directory, 'project');
    mkdirSync(project);
    cpSync(join(root, 'package.json'), join(project, 'package.json'));
    for (const path of [...secrets, ...stored, 'src/main.ts', 'bin/tarishi.js']) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), 'canary');
    }
    const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: project,
      encoding: 'utf8',
    });
    const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
    expect(files.map(({ path }) => path).sort()).toEqual(['bin/tarishi.js', 'package.json', 'src/main.ts']);
  });
});

describe('the Compose file', () => {
  testEvery(['serve', 'work'])('runs %s with settings that exist, and gives it its time to drain', (name) => {
    const { command, environment, stop_grace_period } = compose.services[name];
    expect([command, stop_grace_period]).toEqual([[name], '30s']);
    expect(Object.keys(environment).filter((setting) => !settings.has(`'${setting}'`))).toEqual([]);
  });

  test('builds from the root of the project, and needs its secrets from outside', () => {
    expect(compose.services.serve.build).toEqual({
      context: '../..',
      dockerfile: 'deploy/container/Containerfile',
    });
    expect(JSON.stringify(compose)).not.toMatch(/(password|key)":"[^$]/i);
  });
});
