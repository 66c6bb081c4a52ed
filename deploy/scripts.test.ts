/** The scripts in package.json, on machines that have neither a POSIX shell nor the Node of this project. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { withPlainShell } from '../contract-tests/support/docs/plain-shell.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const directory = mkdtempSync(join(tmpdir(), 'tarishi-scripts-'));

test('each is one program and its arguments, without anything that only some shells understand', () => {
  const words = /^[\w@./:=-]+( [\w@./:=-]+)*$/;
  expect(Object.entries(scripts).filter(([, script]) => !words.test(script))).toEqual([]);
});

describe('after npm ci --omit=optional, on a Node that is too old', () => {
  const clone = join(directory, 'clone');
  const needsNode = Object.keys(scripts).filter((name) => name !== 'prepare');

  /** A clone as npm leaves it where it has no Node for the machine. */
  function prepare(): Record<string, string> {
    mkdirSync(join(clone, 'node_modules'), { recursive: true });
    cpSync(join(root, 'package.json'), join(clone, 'package.json'));
    cpSync(join(root, 'bin'), join(clone, 'bin'), { recursive: true });
    const older = join(directory, 'older.cjs');
    writeFileSync(older, "Object.defineProperty(process, 'version', { value: 'v20.20.0' });\n");
    return { NODE_OPTIONS: `--require ${older}`, ...withPlainShell(directory) };
  }

  test('every script says in one sentence what to install', async () => {
    const env = { PATH: process.env.PATH, HOME: directory, ...prepare() };
    const said = needsNode.map(
      (name) =>
        new Promise<[string, boolean, string[]]>((resolve) => {
          execFile('npm', ['run', '--silent', name], { cwd: clone, env }, (error, stdout, stderr) =>
            resolve([name, error !== null, (stdout + stderr).trim().split('\n')]),
          );
        }),
    );
    const sentence =
      /^tarishi: Node 24 or later is required; this is v20\.20\.0, .* Install it from https:\/\/nodejs\.org or with your package manager\.$/;
    expect(await Promise.all(said)).toEqual(
      needsNode.map((name) => [name, true, [expect.stringMatching(sentence)]]),
    );
  });
});

test('what npm ci makes of the command in a clone on Windows: files for npx and for cmd, no links', () => {
  const clone = join(directory, 'windows');
  const commands = join(clone, 'node_modules', '.bin');
  mkdirSync(commands, { recursive: true });
  cpSync(join(root, 'bin'), join(clone, 'bin'), { recursive: true });
  const windows = join(directory, 'windows.cjs');
  writeFileSync(windows, "Object.defineProperty(process, 'platform', { value: 'win32' });\n");
  execFileSync(process.execPath, ['--require', windows, join(clone, 'bin', 'link.js')]);
  // Git Bash runs the file that npx looks for.
  writeFileSync(join(clone, 'bin', 'tarishi.js'), 'process.stdout.write(process.argv.slice(2).join("|"))');
  expect(execFileSync(join(commands, 'tarishi'), ['send', 'two words'], { encoding: 'utf8' })).toBe(
    'send|two words',
  );
  const [, launcher = ''] =
    /^@node "%~dp0\\(.*)" %\*\r\n$/.exec(readFileSync(join(commands, 'tarishi.cmd'), 'utf8')) ?? [];
  expect(existsSync(join(commands, ...launcher.split('\\')))).toBe(true);
});
