/** The launcher in a clone, and the packed package installed in an empty directory. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));
const launcher = join(root, 'bin', 'tarishi.js');
const directory = mkdtempSync(join(tmpdir(), 'tarishi-package-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Nothing else from this process: the child has no settings, like that of a new user. */
const env = { PATH: process.env.PATH, HOME: directory };
/** Loaded first, it makes the Node that runs a program look like an older one. */
const olderNode = nodeOf('v18.20.0');

function nodeOf(version: string): string {
  const file = join(directory, `${version}.cjs`);
  writeFileSync(file, `Object.defineProperty(process, 'version', { value: '${version}' });\n`);
  return file;
}

describe('the launcher', () => {
  test('node_modules/.bin/tarishi of a clone leads to it', () => {
    execFileSync(process.execPath, [join(root, 'bin', 'link.js')]);
    const link = join(root, 'node_modules', '.bin', 'tarishi');
    expect(join(dirname(link), readlinkSync(link))).toBe(launcher);
    expect(execFileSync(link, ['--help'], { env, encoding: 'utf8' })).toContain('Usage: tarishi');
  });

  test('passes arguments and the exit code on, without a warning', () => {
    const run = spawnSync(process.execPath, [launcher, 'no-such-command'], { env, encoding: 'utf8' });
    expect(run).toMatchObject({ status: 2, stderr: expect.stringContaining('no-such-command') });
    expect(run.stderr).not.toContain('Warning');
  });

  test('an older Node runs the service on the Node that npm installed', () => {
    const run = spawnSync(process.execPath, ['--require', olderNode, launcher, '--help'], {
      env,
      encoding: 'utf8',
    });
    expect(run).toMatchObject({ status: 0, stderr: '', stdout: expect.stringContaining('Usage: tarishi') });
  });
});

test('`npm ci` in a clone prints no warning on Node 20, though many packages ask for a later one', () => {
  const clone = join(directory, 'clone');
  mkdirSync(clone);
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(join(root, name), join(clone, name));
  const install = (...options: string[]) =>
    spawnSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts', ...options], {
      cwd: clone,
      env: { ...env, NODE_OPTIONS: `--require ${nodeOf('v20.0.0')}` },
      encoding: 'utf8',
    });
  expect(install()).toMatchObject({ status: 0, stderr: '' });
  // What it would print without the setting of the clone.
  expect(install('--loglevel=warn').stderr).toContain('EBADENGINE');
});

describe('the package', () => {
  const home = join(directory, 'home');

  test('contains what it runs, and no tests', () => {
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--pack-destination', directory], {
        cwd: root,
        env,
        encoding: 'utf8',
      }),
    );
    const files: string[] = packed.files.map(({ path }: { path: string }) => path);
    expect(files).toEqual(
      expect.arrayContaining([
        'bin/tarishi.js',
        'src/main.ts',
        'clients/typescript/src/client.ts',
        'generated/openapi.yaml',
        'LICENSE',
      ]),
    );
    expect(files).toContainEqual(expect.stringMatching(/^vendor\/pglite\/empty-.*\.tar\.gz$/));
    expect(
      files.filter((path) =>
        /(test|testing)\.ts$|^(contract-tests|examples)\/|^clients\/(?!\w+\/README\.md$|typescript\/src\/)/.test(
          path,
        ),
      ),
    ).toEqual([]);
    install(join(directory, packed.filename));
  });

  test('starts with one command in an empty directory', async () => {
    const tarishi = join(home, 'node_modules', '.bin', 'tarishi');
    const run = async (...words: string[]) =>
      (await promisify(execFile)(tarishi, words, { cwd: home, env, encoding: 'utf8' })).stdout;
    const service = spawn(tarishi, ['start'], {
      cwd: home,
      env: { ...env, PORT: '0', METRICS_PORT: '0', MANAGEMENT_PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(service, 'close');
    let errors = '';
    service.stderr.on('data', (bytes) => {
      errors += bytes;
    });
    try {
      const lines = createInterface({ input: service.stdout });
      const url = await new Promise<string>((resolve, reject) => {
        lines.on('line', (line) => {
          const publicUrl = /"publicUrl":"([^"]+)"/.exec(line)?.[1];
          if (publicUrl !== undefined) resolve(publicUrl);
        });
        lines.on('close', () => reject(new Error(`the service stopped: ${errors}`)));
      });
      expect((await fetch(`${url}/openapi.yaml`)).status).toBe(200);
      expect(existsSync(join(home, 'data'))).toBe(true);
      // What the greeting says next, and the outcome in the terminal.
      await until(() => errors.includes('npx tarishi send +254711000000'));
      const sent = await run('send', '+254711000000', 'Habari from Tarishi');
      expect(sent).toMatch(/^phone +\+254711000000\nstate +Delivered\n/);
      // A supervisor that signals the process it started reaches the service itself.
      if (process.platform === 'linux')
        expect(readFileSync(`/proc/${service.pid}/cmdline`, 'utf8')).toContain('src/main.ts');
    } finally {
      service.kill('SIGTERM');
      await closed;
    }
  });

  /**
   * As `npm install` lays it out. The dependencies are those of this project, linked; with TARISHI_INSTALL=1 npm
   * installs them from the registry.
   */
  function install(tarball: string) {
    mkdirSync(home);
    if (process.env.TARISHI_INSTALL === '1') {
      execFileSync('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: home, env });
      return;
    }
    const modules = join(home, 'node_modules');
    mkdirSync(join(modules, '.bin'), { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', modules]);
    execFileSync('mv', [join(modules, 'package'), join(modules, 'tarishi')]);
    symlinkSync(join('..', 'tarishi', 'bin', 'tarishi.js'), join(modules, '.bin', 'tarishi'));
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    );
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const installed = join(root, 'node_modules', name);
      if (!existsSync(installed)) continue;
      mkdirSync(dirname(join(modules, name)), { recursive: true });
      symlinkSync(installed, join(modules, name));
    }
  }
});

async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setTimeout(resolve, 20));
}
