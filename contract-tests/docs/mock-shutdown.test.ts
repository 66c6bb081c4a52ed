/** Ending `npm run mock`: Prism, which npm did not start itself, ends with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));

test.each<[string, (pid: number) => void]>([
  ['only npm gets the signal', (pid) => process.kill(pid, 'SIGTERM')],
  ['Ctrl-C, which reaches the whole group', (pid) => process.kill(-pid, 'SIGINT')],
])(
  '%s',
  async (_how, end) => {
    const npm = spawn('npm', ['run', 'mock', '--', '--port', '0'], {
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
      end(pid);
      await closed;
      await expect(fetch(address)).rejects.toThrow('fetch failed');
    } finally {
      if (!ended) process.kill(-pid, 'SIGKILL');
    }
  },
  60_000,
);

function listening(npm: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    // Read to the end: a stream that is left open is never closed.
    for (const stream of [npm.stdout, npm.stderr])
      stream?.on('data', (bytes) => {
        output += bytes;
        const [, address] = /The mock is ready at (http:\S+[^.\s])/.exec(output) ?? [];
        if (address !== undefined) resolve(address);
      });
    npm.once('close', () => reject(new Error(`the mock ended:\n${output}`)));
  });
}
