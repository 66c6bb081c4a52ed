/** SIGTERM at any moment ends a process within its grace period, whatever happens to the reader of its log. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createRandom } from '../../../src/partner/sandbox/random.ts';
import { copyEmptyDatabase, createFreshDatabase, type FreshUrl } from '../../../src/platform/db/testing.ts';
import { freePort } from '../../../src/platform/free-port-testing.ts';
import { sized } from '../../../src/platform/sized-testing.ts';
import { nodeOptions } from '../../support/service/process.ts';

const moments = Number(process.env.SIGNAL_MOMENTS ?? sized(3, 9));
const seed = Number(process.env.SEED);
const graceMs = 3_000;
/** What a busy machine may add. */
const marginMs = 2_000;
const longestLifeMs = 6_000;

const root = new URL('../../..', import.meta.url);
const serverUrl = process.env.DATABASE_URL;
const random = createRandom(seed);

let directory: string;
let fresh: FreshUrl | undefined;
let environment: Record<string, string | undefined>;
let baseUrl: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tarishi-signals-'));
  fresh = serverUrl === undefined ? undefined : await createFreshDatabase(serverUrl);
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  environment = {
    PATH: process.env.PATH,
    DATA_DIR: directory,
    HOST: '127.0.0.1',
    PORT: String(port),
    SHUTDOWN_GRACE_MS: String(graceMs),
    DATABASE_URL: fresh?.url,
  };
  if (fresh === undefined) await copyEmptyDatabase(directory);
});
afterAll(async () => {
  await fresh?.drop();
  rmSync(directory, { recursive: true, force: true });
});

const readers = ['reads', 'has stalled', 'goes away'] as const;

describe(`SEED=${seed}: SIGTERM at ${moments} moments`, () => {
  test.each(
    Array.from({ length: moments }, (_, index) => ({
      reader: readers[index % readers.length] ?? 'reads',
      afterMs: Math.floor(random() * longestLifeMs),
    })),
  )('after $afterMs ms, the reader of the log $reader', async ({ reader, afterMs }) => {
    const log = openPipe();
    if (reader === 'has stalled') log.fill();
    if (reader === 'reads') log.read();
    const child = spawn(process.execPath, [...nodeOptions, 'src/main.ts', 'start'], {
      cwd: root,
      env: environment,
      stdio: ['ignore', log.end, 'ignore'],
    });
    const ended = once(child, 'exit');
    const endLoad = startLoad();
    await Promise.race([delay(afterMs), ended]);
    child.kill('SIGTERM');
    const signalledMs = performance.now();
    if (reader === 'goes away') log.close();
    const limit = setTimeout(() => child.kill('SIGKILL'), 30_000);
    const [code, signal] = await ended;
    clearTimeout(limit);
    // Before it handles signals they end it by themselves.
    if (reader === 'reads') expect([0, null]).toContain(code);
    expect(signal).not.toBe('SIGKILL');
    expect(performance.now() - signalledMs).toBeLessThan(graceMs + marginMs);
    endLoad();
    log.close();
  });
});

describe('npm start', () => {
  const shells: Record<string, () => Record<string, string>> = {
    'a POSIX shell': () => ({}),
    // As on an old Node and on Windows: the launcher stays beside the service.
    'a Node that cannot become another program': () => {
      const file = join(directory, 'no-execve.cjs');
      writeFileSync(file, 'delete process.execve;');
      return { NODE_OPTIONS: `--require ${file}` };
    },
  };
  test.each([
    { signal: 'SIGTERM', shell: 'a POSIX shell' },
    { signal: 'SIGKILL', shell: 'a POSIX shell' },
    { signal: 'SIGTERM', shell: 'a Node that cannot become another program' },
  ] as const)('$signal to npm alone ends the service too, with $shell', async ({ shell, signal }) => {
    const npm = spawn('npm', ['start'], {
      cwd: root,
      env: { ...environment, HOME: directory, ...shells[shell]?.() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    await untilItSays(npm, '"msg":"ready"');
    // Both streams end when the last process that writes to them has.
    const closed = once(npm, 'close');
    npm.kill(signal);
    await closed;
    await expect(fetch(`${baseUrl}/healthz`)).rejects.toThrow();
  });
});

test('a process that waits for PostgreSQL logs it, and ends on SIGTERM', async () => {
  const child = spawn(process.execPath, [...nodeOptions, 'src/main.ts', 'work'], {
    cwd: root,
    // Nothing listens on the discard port.
    env: { ...environment, DATABASE_URL: 'postgres://user:secret@127.0.0.1:9/sms' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = await untilItSays(child, '"msg":"waiting for the database that DATABASE_URL names"');
  expect(output).not.toContain('secret');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

/** Answers all that it has said by then. */
async function untilItSays(child: ChildProcess, words: string): Promise<string> {
  let output = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes) => {
        output += bytes;
        if (output.includes(words)) resolve();
      });
    child.once('exit', () => reject(new Error(output)));
  });
  return output;
}

/** A pipe for a log, with a reader that does not read yet. */
function openPipe() {
  const path = join(directory, `log-${Math.floor(random() * 1e9)}`);
  execFileSync('mkfifo', [path]);
  const from = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const end = openSync(path, constants.O_WRONLY);
  let open = true;
  let reading: NodeJS.Timeout | undefined;
  return {
    /** Waits for its reader, as a shell's pipe does. */
    end,
    read: () => {
      const bytes = Buffer.alloc(64 * 1024);
      reading = setInterval(() => {
        try {
          while (readSync(from, bytes) > 0);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
        }
      }, 10);
    },
    fill: () => {
      const filler = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      try {
        for (;;) writeSync(filler, Buffer.alloc(4_096, '\n'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      }
      closeSync(filler);
    },
    close: () => {
      if (!open) return;
      open = false;
      clearInterval(reading);
      closeSync(from);
      closeSync(end);
    },
  };
}

/** Requests that leave a line in the log each, until it is ended. */
function startLoad(): () => void {
  let going = true;
  const caller = async () => {
    while (going)
      await fetch(`${baseUrl}/message/demo`, { method: 'POST' })
        .then((answer) => answer.text())
        .catch(() => delay(50));
  };
  for (let callers = 0; callers < 8; callers += 1) void caller();
  return () => {
    going = false;
  };
}
