/** A directory for all temporary files of one run of the tests, removed when the run ends or, if it was killed, by the next one. */
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const prefix = 'tarishi-run-';

/** Its path, in `parent`; `parent` itself if that is the directory of a run already, whose tests start other runs. */
export function openRunDirectory(parent: string): string {
  if (basename(parent).startsWith(prefix)) return parent;
  for (const name of readdirSync(parent)) if (isLeftOver(name)) remove(join(parent, name));
  const directory = join(parent, `${prefix}${process.pid}`);
  remove(directory);
  mkdirSync(directory);
  // Like any directory for temporary files: tests start programs of other users in it.
  chmodSync(directory, 0o1777);
  process.once('exit', () => remove(directory));
  return directory;
}

function isLeftOver(name: string): boolean {
  return name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** As far as this user may: what others left behind is theirs. */
function remove(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {}
}
