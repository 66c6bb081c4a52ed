/** Runs the blocks of a page in order, in one shell, while the test's own networks respond. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { nodeOptions } from '../service/service.ts';
import type { Example } from './guides.ts';

export interface Session {
  /** The folder that the reader is in. */
  cwd: string;
  variables: Record<string, string>;
  /** What the reader writes instead, such as the address of a network. */
  instead: readonly [written: string, own: string][];
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const border = '=====';

/**
 * What each block printed. `run=service` starts it in the background and waits until it is ready, `run=until-delivered`
 * repeats it until it prints this state. Expects that no block failed.
 */
export async function runBlocks(blocks: readonly Example[], session: Session): Promise<string[]> {
  const { cwd, variables, instead } = session;
  const script = blocks.map(({ text: written, attributes: { run } }) => {
    const own = instead.reduce((all, [here, there]) => all.replaceAll(here, there), written);
    if (run === 'service') return inBackground(own);
    return run === 'until-delivered' ? untilDelivered(own) : own;
  });
  const child = spawn('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script.join(`\necho ${border}\n`)], {
    cwd,
    env: { ...variables, PATH: `${tools(cwd)}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killWithTests = () => child.kill('SIGKILL');
  process.once('exit', killWithTests);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  process.off('exit', killWithTests);
  expect({ code, errors, output }).toEqual({ code: 0, errors: expect.any(String), output });
  return output.split(`${border}\n`);
}

/** The session ends it, and expects that it drains. */
function inBackground(command: string): string {
  return `${command} >>service.log 2>&1 &
services="\${services:-} $!"
trap 'for one in $services; do kill $one 2>/dev/null || true; wait $one || true; done' EXIT
for i in $(seq 600); do
  kill -0 $! || { cat service.log >&2; exit 1; }
  curl -s -f -o /dev/null "http://127.0.0.1:$METRICS_PORT/readyz" && break
  sleep 0.1
done`;
}

function untilDelivered(command: string): string {
  return `for i in $(seq 600); do
shown=$(${command})
case $shown in *'"state":"Delivered"'*) break;; esac
sleep 0.1
done
echo "$shown"`;
}

/** `npx tarishi` runs this project, on the Node of the tests. */
function tools(cwd: string): string {
  const folder = join(cwd, '.tools');
  mkdirSync(folder, { recursive: true });
  const npx = join(folder, 'npx');
  const node = [process.execPath, ...nodeOptions, join(root, 'src/main.ts')].join(' ');
  writeFileSync(npx, `#!/bin/sh\n[ "$1" = tarishi ] && shift && exec ${node} "$@"\n`);
  chmodSync(npx, 0o755);
  return folder;
}
