/** Runs commands of the documentation as a reader does who pastes them one after the other. */
import { spawnSync } from 'node:child_process';
import { expect } from '@jest/globals';
import type { Example } from './guides.ts';

/** The tools that the commands need and this machine lacks. */
export const missingTools = ['bash', 'curl', 'sed'].filter(
  (tool) => spawnSync(tool, ['--version']).error !== undefined,
);

const border = '=====';

/** What each command printed. Expects that none failed or complained. */
export function paste(
  commands: readonly string[],
  { cwd, variables = {} }: { cwd?: string; variables?: Record<string, string> },
): string[] {
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['--norc', '-eu', '-c', commands.join(`\necho ${border}\n`)],
    {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, ...variables },
      ...(cwd === undefined ? {} : { cwd }),
    },
  );
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split(`${border}\n`);
}

/** Expects that a command printed what the block after it shows; the values of an example may be others. */
export function expectShown(output: string, shown: Example | undefined): void {
  if (shown?.attributes.example !== undefined) {
    const example = JSON.parse(shown.text);
    expect(Object.keys(JSON.parse(output))).toEqual(expect.arrayContaining(Object.keys(example)));
    return;
  }
  if (shown?.language === 'json') expect(JSON.parse(output)).toEqual(expected(JSON.parse(shown.text)));
  if (shown?.language === 'text') expect(output).toBe(`${shown.text}\n`);
}

/** What is shown, where `…` stands for what differs from call to call. */
function expected(value: unknown): unknown {
  if (typeof value === 'string' && value.endsWith('…')) return expect.anything();
  if (Array.isArray(value)) return value.map(expected);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, expected(one)]));
}
