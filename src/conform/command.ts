/** Runs a partner's command as a process of its own, with the sandbox in its environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface CommandLine {
  words: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
}

export interface CommandRun {
  /** Undefined: it was stopped because it took too long. */
  exitCode: number | undefined;
  /** The end of what it wrote. */
  output: string;
}

const outputLimit = 10_000;

/** Runs it to its end. Rejects when it cannot be started. */
export async function runToEnd(command: CommandLine, limitMs: number): Promise<CommandRun> {
  const { child, ended, output } = start(command);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    stop(child);
  }, limitMs);
  const code = await ended.finally(() => clearTimeout(timer));
  return { exitCode: late ? undefined : code, output: output() };
}

/** Starts it and lets it run. */
export function runInBackground(command: CommandLine): {
  ended: Promise<CommandRun>;
  stop: () => Promise<void>;
} {
  const { child, ended, output } = start(command);
  const run = ended.then((exitCode) => ({ exitCode, output: output() }));
  return {
    ended: run,
    stop: async () => {
      stop(child);
      await run;
    },
  };
}

function start({ words: [file = '', ...args], environment }: CommandLine) {
  // A group of its own, so that what the command starts ends with it.
  const child = spawn(file, args, {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes) => {
      output = (output + bytes).slice(-outputLimit);
    });
  const ended = once(child, 'close').then(
    ([code]) => (code as number | null) ?? 1,
    (error: Error) => {
      throw new Error(`the command cannot be run: ${error.message}`);
    },
  );
  return { child, ended, output: () => output };
}

function stop({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}
