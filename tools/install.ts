/**
 * Installs the packages of tools/ if one is missing or of another version than in the lockfile: loaded before the scripts
 * that need them (package.json). A plain `npm ci --prefix tools` does the same.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;

interface Installed {
  version?: string;
  /** Only for some machines. */
  optional?: boolean;
}

function packagesIn(lockfile: string): Record<string, Installed> {
  const file = join(folder, lockfile);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {};
}

function isComplete(): boolean {
  const found = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json')).every(
    ([path, { version, optional }]) =>
      path === '' || (found[path]?.version ?? (optional && version)) === version,
  );
}

if (!isComplete()) {
  process.stderr.write(
    'Installing the packages of tools/, once: linters, generators, drivers of browsers …\n',
  );
  // As npm runs scripts; without npm the command, which is a batch file on Windows.
  const { npm_execpath: npm } = process.env;
  const [program, words] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  const { status } = spawnSync(program, [...words, 'ci', '--prefix', folder], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: npm === undefined && process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
