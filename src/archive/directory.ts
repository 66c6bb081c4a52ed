/** An archive in a directory. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ArchiveStore } from './store.ts';

/** `url`: a `file:` URL. The directory is made when something is first written. */
export function openDirectory(url: string): ArchiveStore {
  const directory = fileURLToPath(url);
  return {
    url,
    write: (name, bytes) => writeSafely(directory, name, bytes),
    read: (name) => readFile(join(directory, name)).catch(absent),
    names: async () => (await readdir(directory).catch(absent)) ?? [],
  };
}

async function writeSafely(directory: string, name: string, bytes: Uint8Array): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = join(directory, `.${name}.${randomUUID()}`);
  try {
    await synced(draft, 'wx', (file) => file.writeFile(bytes));
    await rename(draft, join(directory, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  // The name is safe only once the directory is.
  await synced(directory, 'r', async () => {});
}

async function synced(
  path: string,
  flags: string,
  use: (file: Awaited<ReturnType<typeof open>>) => Promise<void>,
): Promise<void> {
  const file = await open(path, flags, 0o600);
  try {
    await use(file);
    await file.sync();
  } finally {
    await file.close();
  }
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
