/** Reads a secret from a file, an environment variable, the terminal or a pipe, never from the command line. */

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { own } from '../../platform/text/own.ts';
import type { SecretSource } from './arguments.ts';
import { CommandError } from './errors.ts';

/** A line break at the end is not part of the secret. Rejects with a CommandError if the secret is missing. */
export async function readSecret(
  name: string,
  source: SecretSource,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const secret = (await rawSecret(name, source, environment)).replace(/\r?\n$/, '');
  if (secret === '') throw new CommandError(`the ${name} is empty`);
  return secret;
}

async function rawSecret(
  name: string,
  source: SecretSource,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if (source === undefined) return process.stdin.isTTY ? prompt(name) : text(process.stdin);
  if ('variable' in source) {
    const value = own(environment, source.variable);
    if (value === undefined) throw new CommandError(`environment variable ${source.variable} is not set`);
    return value;
  }
  if (source.file === '-') return text(process.stdin);
  try {
    return readFileSync(source.file, 'utf8');
  } catch (error) {
    throw new CommandError(`the ${name} cannot be read: ${(error as Error).message}`);
  }
}

/** readline turns off the terminal's echo, and its own output is discarded. */
async function prompt(name: string): Promise<string> {
  process.stderr.write(`${name}: `);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const aborted = new Promise<never>((_, reject) => {
    terminal.once('SIGINT', () => reject(new CommandError('interrupted')));
  });
  try {
    return await Promise.race([terminal.question(''), aborted]);
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
