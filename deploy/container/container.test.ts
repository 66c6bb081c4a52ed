/** Containerfile and Compose file: their steps, run here as far as that needs no container. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const steps = readFileSync(new URL('Containerfile', import.meta.url), 'utf8')
  .replaceAll('\\\n', '')
  .split('\n')
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => ({ verb: line.split(' ')[0] ?? '', rest: line.replace(/^[A-Z]+\s+/, '') }));
const compose = parse(readFileSync(new URL('compose.yaml', import.meta.url), 'utf8'), { merge: true });
const ignored = readFileSync(join(root, '.containerignore'), 'utf8').trim().split('\n');
const settings = new Set(readFileSync(join(root, 'src/config.ts'), 'utf8').match(/'[A-Z][A-Z_]+'/g));

const directory = mkdtempSync(join(tmpdir(), 'tarishi-container-'));
afterAll(() => rmSync(directory, { recursive: true }));

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
    const kept = (path: string) =>
      !ignored.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
    for (const files of rest('COPY').map((line) => line.split(' ').slice(0, -1)))
      for (const file of files)
        if (file === '.')
          cpSync(root, tree, { recursive: true, filter: (path) => kept(relative(root, path) || 'tree') });
        else cpSync(join(root, file), join(tree, file));
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

describe('the Compose file', () => {
  test('runs serve and work with settings that exist', () => {
    expect(compose.services.serve.command).toEqual(['serve']);
    expect(compose.services.work.command).toEqual(['work']);
    for (const { environment } of [compose.services.serve, compose.services.work])
      expect(Object.keys(environment).filter((name) => !settings.has(`'${name}'`))).toEqual([]);
  });

  test('stops without a deadline shorter than the service takes to drain', () => {
    expect(compose.services.serve.stop_grace_period).toBe('30s');
    expect(compose.services.work.stop_grace_period).toBe('30s');
  });

  test('builds from the root of the project, and needs its secrets from outside', () => {
    expect(compose.services.serve.build).toEqual({
      context: '../..',
      dockerfile: 'deploy/container/Containerfile',
    });
    expect(JSON.stringify(compose)).not.toMatch(/(password|key)":"[^$]/i);
  });
});
