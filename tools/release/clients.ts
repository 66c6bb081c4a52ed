/** The clients as their languages distribute them: npm, wheel and sdist, a Composer archive, and the files of a Go proxy. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../programs.ts';
import { filesIn, output, type Release, zip } from './release.ts';

const clients = join(root, 'clients');

export function packTypeScript({ folder }: Release): void {
  output('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(clients, 'typescript') });
}

/** What builds it is installed into an environment of its own: what the machine has may be older. */
export function packPython({ version, folder, time }: Release): void {
  inCopy('python', (source) => {
    const python = join(source, 'environment/bin/python');
    // The machine's pip: to install another one takes longer than all the rest.
    output('python3', ['-m', 'venv', '--without-pip', join(source, 'environment')], {});
    const quiet = ['--quiet', '--disable-pip-version-check'];
    output('python3', ['-m', 'pip', '--python', python, 'install', ...quiet, 'setuptools==80.9.0'], {});
    for (const file of filesIn(join(source, 'src'))) utimesSync(join(source, 'src', file), time, time);
    const env = { ...process.env, SOURCE_DATE_EPOCH: String(time) };
    const program = `
import sys
from setuptools import build_meta
folder = sys.argv[1]
build_meta.build_wheel(folder)
build_meta.build_sdist(folder)
`;
    output(python, ['-c', program, folder], { cwd: source, env, stdio: ['ignore', 'pipe', 'pipe'] });
    packAgain(join(folder, `tarishi_client-${version}.tar.gz`), time);
  });
}

/** A tar of the same files in the order of their names, at one time and of nobody. */
function packAgain(file: string, time: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'tarishi-sdist-'));
  output('tar', ['-xzf', file, '-C', folder], {});
  const same = ['--sort=name', `--mtime=@${time}`, '--owner=0', '--group=0', '--numeric-owner'];
  output(
    'tar',
    [...same, '--use-compress-program', 'gzip -n', '-cf', file, '-C', folder, ...readdirSync(folder)],
    {},
  );
  rmSync(folder, { recursive: true });
}

/** Packagist reads a repository of its own for a package: this is what is pushed there. */
export function packPhp(release: Release): void {
  inCopy('php', (source) => {
    const manifest = join(source, 'composer.json');
    const { name, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'));
    writeFileSync(manifest, `${JSON.stringify({ name, version: release.version, ...rest }, null, 2)}\n`);
    zip(source, '', join(release.folder, `tarishi-client-${release.version}.zip`), release);
  });
}

/** As a module proxy serves it; the tag clients/go/v‹version› is what `go get` asks for. */
export function packGo(release: Release): void {
  const { version, folder, time } = release;
  inCopy('go', (source) => {
    const [, path = ''] = /^module (.*)$/m.exec(readFileSync(join(source, 'go.mod'), 'utf8')) ?? [];
    const to = join(folder, 'go', path, '@v');
    mkdirSync(to, { recursive: true });
    cpSync(join(source, 'go.mod'), join(to, `v${version}.mod`));
    const info = { Version: `v${version}`, Time: new Date(time * 1_000).toISOString() };
    writeFileSync(join(to, `v${version}.info`), `${JSON.stringify(info)}\n`);
    writeFileSync(join(to, 'list'), `v${version}\n`);
    zip(source, `${path}@v${version}/`, join(to, `v${version}.zip`), release);
  });
}

/** Calls back with a copy of what git has of a client, without the sources that generate it. */
function inCopy(client: string, use: (source: string) => void): void {
  const source = mkdtempSync(join(tmpdir(), `tarishi-${client}-`));
  const tracked = output('git', ['ls-files', '.'], { cwd: join(clients, client) })
    .trim()
    .split('\n');
  for (const file of tracked.filter((name) => !/\.ts$|_test\.go$/.test(name)))
    cpSync(join(clients, client, file), join(source, file));
  use(source);
  rmSync(source, { recursive: true });
}
