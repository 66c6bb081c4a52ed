/** Runs a partner's command as a process of its own, with the sandbox in its environment. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface CommandLine {
  words: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
}

export interface CommandRun {
  exitCode: number;
  /** The end of what it wrote. */
  output: string;
}

export interface RunningCommand {
  /** Rejects when it cannot be started. */
  ended: Promise<CommandRun>;
  /** Ends it, and what it started, if it still runs. */
  stop: () => Promise<void>;
}

const outputLimit = 10_000;

/** Starts it and lets it run. */
export function startCommand({ words: [file = '', ...args], environment }: CommandLine): RunningCommand {
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
    ([code]) => ({ exitCode: (code as number | null) ?? 1, output }),
    (error: Error) => {
      throw new Error(`the command cannot be run: ${error.message}`);
    },
  );
  return {
    ended,
    stop: async () => {
      kill(child);
      await ended;
    },
  };
}

function kill({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}
