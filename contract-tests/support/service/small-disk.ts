/** A disk that is soon full, and a PostgreSQL that has all its files on it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface SmallDisk {
  directory: string;
  /** Leaves no room on it. */
  fill: () => void;
  free: () => void;
  remove: () => void;
}

/** Undefined where we may not mount one: only root may. */
export function openSmallDisk(megabytes: number): SmallDisk | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'tarishi-disk-'));
  const filling = join(directory, 'filling');
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory], {
      stdio: 'ignore',
    });
  } catch {
    rmSync(directory, { recursive: true });
    return undefined;
  }
  // The service and PostgreSQL may be two users.
  chmodSync(directory, 0o777);
  return {
    directory,
    fill: () => {
      const block = Buffer.alloc(64 * 1024);
      for (let size = block.length; size >= 512; size /= 2)
        try {
          for (;;) writeFileSync(filling, block.subarray(0, size), { flag: 'a' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
    },
    free: () => rmSync(filling),
    remove: () => {
      execFileSync('umount', [directory]);
      rmSync(directory, { recursive: true });
    },
  };
}

export interface OwnPostgres {
  url: string;
  /** Until it is gone, as a server goes that cannot write its log. */
  gone: () => Promise<void>;
  /** As an operator does when there is room again. */
  startAgain: () => Promise<void>;
  close: () => Promise<void>;
}

/** A server with all its files in the directory. */
export async function openPostgresIn(directory: string): Promise<OwnPostgres> {
  const { DATABASE_URL: _, ...environment } = process.env;
  const keeper = spawn('.ci/with-postgres', ['sh', '-c', 'echo "$DATABASE_URL"; cat'], {
    cwd: new URL('../../..', import.meta.url),
    env: { ...environment, TMPDIR: directory },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(keeper, 'exit');
  const [line] = await Promise.race([once(keeper.stdout, 'data'), ended.then(() => [''])]);
  const url = String(line).trim();
  if (url === '') throw new Error('there is no PostgreSQL');
  const [home = ''] = readdirSync(directory).filter((name) => name.startsWith('with-postgres.'));
  const data = join(directory, home, 'data');
  const pidFile = join(data, 'postmaster.pid');
  let second: ChildProcess | undefined;

  return {
    url,
    gone: async () => {
      const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
      while (isRunning(pid)) await delay(50);
    },
    startAgain: async () => {
      // How it was started.
      const command = readFileSync(join(data, 'postmaster.opts'), 'utf8').trim();
      rmSync(pidFile, { force: true });
      second = spawn('runuser', ['-u', 'postgres', '--', 'sh', '-c', `exec ${command}`], {
        cwd: data,
        stdio: 'ignore',
      });
      while (!existsSync(pidFile) || !readFileSync(pidFile, 'utf8').includes('ready')) await delay(50);
    },
    close: async () => {
      if (second !== undefined) {
        const stopped = once(second, 'exit');
        process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGINT');
        await stopped;
      }
      keeper.stdin.end();
      await ended;
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
