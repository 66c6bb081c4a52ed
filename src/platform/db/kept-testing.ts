/** Keeps directories that are slow to make from one test run to the next, until what they depend on changes. */
import { createHash, type Hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const cache = join(project, 'node_modules/.cache/tarishi');

export interface Kept {
  /** Tells it from others. */
  name: string;
  /** Files and folders of the project whose change makes it stale. */
  sources: readonly string[];
  /** Fills an empty directory. */
  make: (directory: string) => Promise<void>;
}

/** Its path; made if it is not there. Several processes may ask for it at the same time. */
export async function keptDirectory({ name, sources, make }: Kept): Promise<string> {
  const kept = join(cache, `${name}-${fingerprint(sources)}`);
  if (existsSync(kept)) return kept;
  mkdirSync(cache, { recursive: true });
  const own = mkdtempSync(join(cache, `new-${name}-`));
  await make(own);
  for (const former of readdirSync(cache).filter((one) => one.startsWith(`${name}-`)))
    if (join(cache, former) !== kept) rmSync(join(cache, former), { recursive: true, force: true });
  try {
    renameSync(own, kept);
  } catch (error) {
    // Another test process was first.
    if (!existsSync(kept)) throw error;
    rmSync(own, { recursive: true });
  }
  return kept;
}

function fingerprint(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const source of sources) add(join(project, source), hash);
  return hash.digest('hex').slice(0, 16);
}

function add(path: string, hash: Hash): void {
  if (/\.[a-z]+$/.test(path)) hash.update(path).update(readFileSync(path));
  else for (const name of readdirSync(path).sort()) add(join(path, name), hash);
}
