/** Runs Prism on the contract as a process of its own: it has the responses that the document shows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContractDocument } from '../http/contract/document.ts';
import { mockedDocument } from './mocked-document.ts';

export interface Prism {
  port: number;
  stop: () => Promise<void>;
}

const packageName = '@stoplight/prism-cli';

/** `dynamic`: random values that fit the schemas. Rejects when Prism is not installed or does not start. */
export async function startPrism(
  { published }: ContractDocument,
  { dynamic, onExit }: { dynamic: boolean; onExit: () => void },
): Promise<Prism> {
  const command = prismCommand();
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-mock-'));
  const file = join(directory, 'openapi.json');
  writeFileSync(file, JSON.stringify(mockedDocument(published, { dynamic })));
  const child = spawn(
    process.execPath,
    [command, 'mock', file, '--port', '0', '--host', '127.0.0.1', ...(dynamic ? ['--dynamic'] : [])],
    // Not in the foreground of the terminal: Ctrl-C is for the mock, which ends it.
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  const removed = once(child, 'exit').finally(() => rmSync(directory, { recursive: true, force: true }));
  // Whatever ends this process ends Prism.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes) => {
        output = (output + bytes).slice(-10_000);
        const [, listening] = /Prism is listening on http:\/\/[^:]+:(\d+)/.exec(output) ?? [];
        if (listening !== undefined) resolve(Number(listening));
      });
    removed.then(() => reject(new Error(`Prism does not start:\n${output}`)), reject);
  });
  let stopping = false;
  void removed.then(() => {
    process.off('exit', end);
    if (!stopping) onExit();
  });
  return {
    port,
    stop: async () => {
      stopping = true;
      child.kill('SIGTERM');
      await removed;
    },
  };
}

/** Prism is no dependency: production would carry 80 MB that only partners' machines need. */
function prismCommand(): string {
  try {
    return createRequire(import.meta.url).resolve(packageName);
  } catch {
    const { peerDependencies } = JSON.parse(
      readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
    );
    throw new Error(
      `the mock needs Prism beside it. Install it with: npm install ${packageName}@${peerDependencies[packageName]}`,
    );
  }
}
