/** How a process ends, each in a process of its own: in order, at its deadline, at once. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const directory = mkdtempSync(join(tmpdir(), 'tarishi-shutdown-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs `script` after a shutdown was prepared; `act` gets its process once the script has said `running`. */
async function run(script: string, act: (pid: number) => void, options = 'startedByNpm: false') {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { createShutdown } from './src/process/shutdown.ts';
       import { createLog } from './src/platform/log.ts';
       const shutdown = createShutdown(createLog('info', 'json'), { graceMs: 1_500, ${options} });
       const heartbeat = setInterval(() => {}, 1_000);
       ${script};
       process.stderr.write('running');`,
    ],
    { cwd: new URL('../..', import.meta.url), stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let log = '';
  child.stdout.on('data', (bytes) => {
    log += bytes;
  });
  const [said] = await once(child.stderr, 'data');
  expect(String(said)).toBe('running');
  act(child.pid ?? 0);
  const [code, signal] = await once(child, 'close');
  const lines = log.split('\n').filter((text) => text !== '');
  return { code, signal, messages: lines.map((text) => JSON.parse(text).msg) };
}

const terminate = (pid: number) => process.kill(pid, 'SIGTERM');
const hanging = 'shutdown.add({ stop: () => new Promise(() => {}) })';

test('parts stop in order, the latest first; then the process ends with 0', async () => {
  const script = `for (const name of ['first', 'second'])
    shutdown.add({ stop: async () => { await null; process.stdout.write(JSON.stringify({ msg: name }) + '\\n') } })`;
  const ended = await run(script, terminate);
  expect(ended).toMatchObject({ code: 0, messages: ['second', 'first', 'stopping', 'stopped'] });
});

test('a part that does not stop is left behind at the end of the grace period, with 1', async () => {
  const ended = await run(hanging, terminate);
  expect(ended).toMatchObject({
    code: 1,
    messages: ['stopping', 'not drained within the grace period'],
  });
});

test('a second signal ends it at once, with 1', async () => {
  const script = `${hanging}; process.once('SIGTERM', () => process.kill(process.pid, 'SIGINT'))`;
  expect(await run(script, terminate)).toMatchObject({ code: 1, messages: [] });
});

test('under npm a signal that npm also passes on counts once', async () => {
  const script = `shutdown.add({ stop: () => new Promise((resolve) => setTimeout(resolve, 100)) });
    process.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))`;
  const ended = await run(script, (pid) => process.kill(pid, 'SIGINT'), 'startedByNpm: true');
  expect(ended).toMatchObject({ code: 0, messages: ['stopping', 'stopped'] });
});

test('a thread that waits forever does not keep the process alive', async () => {
  const pipe = join(directory, 'nobody-writes');
  execFileSync('mkfifo', [pipe]);
  const script = `(await import('node:fs')).open(${JSON.stringify(pipe)}, 'r', () => {})`;
  expect(await run(script, terminate)).toMatchObject({ signal: 'SIGKILL' });
});

test('an uncaught error is logged without its stack, and ends the process with 1', async () => {
  const script = `setTimeout(() => { throw new Error('a bug') })`;
  expect(await run(script, () => {})).toMatchObject({ code: 1, messages: ['unexpected error'] });
});

test('under npm the process ends in order when its parent is gone', async () => {
  // As after the parent's death: another one has taken the process.
  const script = `Object.defineProperty(process, 'ppid', { value: 1 })`;
  const ended = await run(script, () => {}, 'startedByNpm: true');
  expect(ended).toMatchObject({ code: 0, messages: ['stopping', 'stopped'] });
});
