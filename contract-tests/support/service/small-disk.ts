/** A disk that is soon full, and a PostgreSQL that has all its files on it. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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
  return {
    url,
    close: async () => {
      keeper.stdin.end();
      await ended;
    },
  };
}
