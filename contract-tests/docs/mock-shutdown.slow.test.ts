/** `npm run mock`: it takes Prism's options, and ends with npm. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { freePort } from '../../src/platform/free-port-testing.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each<[string, (pid: number) => void]>([
  ['only npm gets the signal', (pid) => process.kill(pid, 'SIGTERM')],
  ['Ctrl-C, which reaches the whole group', (pid) => process.kill(-pid, 'SIGINT')],
])('%s', async (_how, end) => {
  const port = await freePort();
  const npm = spawn('npm', ['run', 'mock', '--', '--port', String(port)], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = npm;
  if (pid === undefined) throw new Error('npm was not started');
  // Every process of the mock holds the pipes: they close when the last one has ended.
  let ended = false;
  const closed = once(npm, 'close').then(() => {
    ended = true;
  });
  try {
    const address = await listening(npm);
    expect(new URL(address).port).toBe(String(port));
    end(pid);
    await closed;
    await expect(fetch(address)).rejects.toThrow('fetch failed');
  } finally {
    if (!ended) process.kill(-pid, 'SIGKILL');
  }
});

function listening(npm: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    // Read to the end: a stream that is left open is never closed.
    for (const stream of [npm.stdout, npm.stderr])
      stream?.on('data', (bytes) => {
        output += bytes;
        const [, address] = /Prism is listening on (http:\S+)/.exec(output) ?? [];
        if (address !== undefined) resolve(address);
      });
    npm.once('close', () => reject(new Error(`the mock ended:\n${output}`)));
  });
}
