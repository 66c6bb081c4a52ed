/** Who tries the README in a clone and presses Ctrl-C has the clone as it was: no file, no process, no port in use. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { copyProject } from '../../support/docs/project-copy.ts';

let clone: string;
let home: string;
const started: ChildProcess[] = [];

beforeAll(() => {
  clone = copyProject();
  home = mkdtempSync(join(tmpdir(), 'tarishi-home-'));
  // What was installed is a link in this copy, which the pattern of a directory does not ignore.
  for (const words of [
    ['init', '-q'],
    ['add', '-A', ':!vendor'],
  ])
    git(...words);
  git('-c', 'user.name=test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'as cloned');
});
afterAll(() => {
  for (const child of started) end(child, 'SIGKILL');
  for (const directory of [clone, home]) rmSync(directory, { recursive: true, force: true });
});

const git = (...words: string[]) => execFileSync('git', words, { cwd: clone, encoding: 'utf8' });

/** As in a terminal, where Ctrl-C reaches everything that a command has started. */
function start(command: string, words: readonly string[], ports: Readonly<Record<string, string>>) {
  const environment = { PATH: process.env.PATH, HOME: home, ...ports };
  const child = spawn(command, words, { cwd: clone, env: environment, detached: true });
  started.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (output += bytes));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return {
    ended,
    interrupt: () => end(child, 'SIGINT'),
    until: async (text: string) => {
      while (!output.includes(text)) {
        if (child.exitCode !== null) throw new Error(`${command} ended: ${output}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
  };
}

function end({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // All have ended.
  }
}

/** Of all processes that work in the clone. */
const runningThere = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(clone);
      } catch {
        return false;
      }
    });

const isTaken = (port: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Without what Node keeps of what it has compiled. */
const filesThere = () => readdirSync(clone).filter((name) => name !== '.cache');

test('a sandbox: no file is written', async () => {
  const before = filesThere();
  const port = String(await freePort());
  const sandbox = start('npx', ['tarishi', 'sandbox', '--port', port], {});
  await sandbox.until('Ctrl-C ends it');
  sandbox.interrupt();
  await sandbox.ended;
  expect(runningThere()).toEqual([]);
  expect(await isTaken(port)).toBe(false);
  expect(filesThere()).toEqual(before);
});

test('the circle of the README: start, listen, send, Ctrl-C', async () => {
  const names = ['PORT', 'METRICS_PORT', 'MANAGEMENT_PORT', 'listen'];
  const ports: string[] = [];
  for (const _ of names) ports.push(String(await freePort()));
  const [port = '', metrics = '', management = '', receipts = ''] = ports;
  const environment = { PORT: port, METRICS_PORT: metrics, MANAGEMENT_PORT: management };

  const service = start('npm', ['start'], environment);
  await service.until('"msg":"ready"');
  const listener = start('npx', ['tarishi', 'listen', '--port', receipts], {});
  await listener.until(receipts);
  const receiver = `http://127.0.0.1:${receipts}/`;
  const sent = start('npx', ['tarishi', 'send', '+254711000000', 'Habari', '--receipt-to', receiver], {});
  expect(await sent.ended).toBe(0);
  await listener.until('Delivered');
  expect(runningThere()).not.toEqual([]);

  for (const one of [listener, service]) {
    one.interrupt();
    await one.ended;
  }
  expect(runningThere()).toEqual([]);
  for (const one of ports) expect(await isTaken(one)).toBe(false);
  expect(git('status', '--porcelain', ':!vendor')).toBe('');
});
