/** Starts one of our processes, and ends it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

export interface StartedProcess {
  child: ChildProcess;
  /** SIGTERM, then the exit code. */
  stop: () => Promise<number | null>;
  /** SIGKILL. */
  kill: () => Promise<void>;
}

/**
 * The tests' own choice of compiler for the embedded database: the quick one, where the better one would cost more
 * than so short a life gives back.
 */
export const nodeOptions = process.execArgv.filter((option) => option === '--liftoff-only');

/** What every process of ours is started with. */
export const processEnvironment = {
  PATH: process.env.PATH,
  HOST: '127.0.0.1',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

/** Less than a test may take, so that the output is shown. */
const startLimitMs = 150_000;

/** Resolves when it is ready, which it says at `metricsUrl`. `write` gets what it writes; `folder` has the code. */
export async function startOwnProcess(
  command: 'start' | 'serve' | 'work',
  settings: Readonly<Record<string, string | undefined>>,
  metricsUrl: string,
  write: (text: string) => void,
  folder: string | URL = new URL('../../..', import.meta.url),
): Promise<StartedProcess> {
  const child = spawn(process.execPath, [...nodeOptions, 'src/main.ts', command], {
    cwd: folder,
    env: { ...processEnvironment, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      output += bytes;
      write(String(bytes));
    });
  // Outlives neither a start that took too long nor the tests.
  const killWithTests = () => child.kill('SIGKILL');
  process.once('exit', killWithTests);
  child.once('exit', () => process.off('exit', killWithTests));
  try {
    await untilReady(child, metricsUrl);
  } catch (error) {
    await end(child, 'SIGKILL');
    throw new Error(`${command} ${(error as Error).message}:\n${output}`);
  }
  return {
    child,
    stop: () => end(child, 'SIGTERM'),
    kill: async () => {
      await end(child, 'SIGKILL');
    },
  };
}

async function untilReady(child: ChildProcess, metricsUrl: string): Promise<void> {
  const deadlineMs = performance.now() + startLimitMs;
  while (performance.now() < deadlineMs) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    const answer = await fetch(`${metricsUrl}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await delay(50);
  }
  throw new Error('was not ready in time');
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}
