/** Runs the mock: Prism on the contract, at 127.0.0.1:4010 unless the arguments say otherwise. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { mockedDocument } from './mocked.ts';

const given = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'tarishi-mock-'));
const file = join(directory, 'openapi.yaml');
const published: unknown = parse(readFileSync(new URL('../spec/openapi.yaml', import.meta.url), 'utf8'));
writeFileSync(file, stringify(mockedDocument(published), { aliasDuplicateObjects: false }));

const command = createRequire(import.meta.url).resolve('@stoplight/prism-cli');
const prism = spawn(
  process.execPath,
  [
    command,
    'mock',
    file,
    ...withDefault('--port', '-p', '4010'),
    ...withDefault('--host', '-h', '127.0.0.1'),
    ...given,
  ],
  { stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => prism.kill(signal));
// npm ends only the shell between it and us, and that passes nothing on: being orphaned is what we notice.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.env.npm_lifecycle_event !== undefined && process.ppid !== parent) prism.kill('SIGTERM');
}, 250);
prism.on('exit', (code) => {
  clearInterval(watch);
  rmSync(directory, { recursive: true, force: true });
  process.exitCode = code ?? 0;
});

function withDefault(option: string, short: string, value: string): string[] {
  const named = given.some((one) => one === short || one === option || one.startsWith(`${option}=`));
  return named ? [] : [option, value];
}
