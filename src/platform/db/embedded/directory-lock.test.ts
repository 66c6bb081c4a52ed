/** One process per data directory, however the one before it ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { lockDirectory } from './directory-lock.ts';

const directories: string[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

test('a released lock can be taken again, and that of another directory at any time', async () => {
  const directory = newDirectory();
  const unlock = await lockDirectory(directory);
  await (await lockDirectory(newDirectory()))();
  await expect(lockDirectory(directory)).rejects.toThrow(`process ${process.pid} uses`);
  await unlock();
  await (await lockDirectory(directory))();
});

test('kill -9 releases the lock: its dead socket is cleared away', async () => {
  const directory = newDirectory();
  const holder = start(directory);
  expect(await verdict(holder)).toBe('holds');
  await kill(holder);
  expect(existsSync(join(directory, 'lock.sock'))).toBe(true);
  const unlock = await lockDirectory(directory);
  await expect(lockDirectory(directory)).rejects.toThrow(`process ${process.pid} uses`);
  await unlock();
});

test('of several processes at a dead lock at most one gets it, and the next one does', async () => {
  const directory = newDirectory();
  const dead = start(directory);
  await verdict(dead);
  await kill(dead);
  const starters = [start(directory), start(directory), start(directory), start(directory)];
  const verdicts = await Promise.all(starters.map(verdict));
  const holders = verdicts.filter((one) => one === 'holds');
  expect(holders.length).toBeLessThanOrEqual(1);
  expect(verdicts.filter((one) => one.startsWith('refused'))).toHaveLength(4 - holders.length);
  for (const starter of starters) await kill(starter);
  await (await lockDirectory(directory))();
});

test('a path that is too long for a socket is locked too', async () => {
  const directory = join(newDirectory(), 'long'.repeat(30));
  mkdirSync(directory);
  const holder = start(directory);
  expect(await verdict(holder)).toBe('holds');
  await expect(lockDirectory(directory)).rejects.toThrow(`process ${holder.pid} uses`);
  await kill(holder);
  await (await lockDirectory(directory))();
});

test('a second service on the same data directory exits and says why', async () => {
  const directory = newDirectory();
  const unlock = await lockDirectory(directory);
  const second = launch(['src/main.ts', 'start'], { DATA_DIR: directory, PORT: '0' });
  let errors = '';
  second.stderr?.on('data', (bytes) => {
    errors += bytes;
  });
  const [code] = await once(second, 'close');
  await unlock();
  expect({ code, errors }).toEqual({
    code: 1,
    errors: `tarishi: process ${process.pid} uses the data directory ${directory}: stop it, or set DATA_DIR to another directory\n`,
  });
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-lock-'));
  directories.push(directory);
  return directory;
}

/** A process that takes the lock, reports the result, and keeps it for as long as it lives. */
function start(directory: string): ChildProcess {
  const module = new URL('directory-lock.ts', import.meta.url).href;
  const script = `
    const { lockDirectory } = await import(${JSON.stringify(module)});
    await lockDirectory(${JSON.stringify(directory)}).then(
      () => process.stdout.write('holds'),
      (error) => process.stdout.write('refused: ' + error.message),
    );
    setInterval(() => {}, 60_000);`;
  return launch(['--input-type=module', '--eval', script], {});
}

function launch(command: string[], environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, command, {
    cwd: new URL('../../../..', import.meta.url),
    // The socket of a directory with a long path is in TMPDIR.
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

async function verdict(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('no output');
  const [bytes] = await once(child.stdout, 'data');
  return String(bytes);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
