/** Opens the data directory: rejects an incomplete one, and lets only its owner read it. */
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Where a data directory holds the files of the embedded database. */
export function embeddedFiles(dataDirectory: string): string {
  return join(dataDirectory, 'postgres');
}

/** Creates it if it is missing. Throws if nothing can be written there. */
export function makeDataDirectory(directory: string): void {
  try {
    makeWithParents(resolve(directory));
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(directory, error);
  }
}

/** The error for a data directory that cannot be used. */
export function unusable(directory: string, error: unknown): Error {
  return new Error(`DATA_DIR is ${directory}, where nothing can be written: ${(error as Error).message}`, {
    cause: error,
  });
}

/** Node's own `recursive` never returns where a parent exists and takes no directories, as in /proc. */
function makeWithParents(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(directory);
  if (parent !== directory) makeWithParents(parent);
  try {
    mkdirSync(directory, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster.
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** While it exists, the database below it is not complete. */
function unfinishedMark(directory: string): string {
  return join(directory, 'postgres.unfinished');
}

/**
 * Says whether the database's files have yet to be made. Throws when some of what belongs together is missing:
 * an empty database in its place would look like lost data.
 */
export function checkDataDirectory(directory: string): { first: boolean } {
  const files = embeddedFiles(directory);
  if (existsSync(unfinishedMark(directory))) rmSync(files, { recursive: true, force: true });
  const isEmpty = !existsSync(files) || readdirSync(files).length === 0;
  if (isEmpty) {
    const kept = ['secret.key', 'demo.json'].filter((name) => existsSync(join(directory, name)));
    if (kept.length === 0) return { first: true };
    throw new Error(
      `${directory} holds ${kept.join(' and ')} but no database: postgres/ is missing or empty. ` +
        `Restore it from the same backup; to start with an empty database, move ${kept.join(' and ')} away`,
    );
  }
  const missing = ['PG_VERSION', 'global/pg_control', 'base', 'pg_wal'].filter(
    (name) => !existsSync(join(files, name)),
  );
  if (missing.length === 0) return { first: false };
  throw new Error(
    `the embedded database in ${files} is incomplete: ${missing.join(', ')} missing. ${remedy}`,
  );
}

export const remedy =
  'Nothing was changed. Restore the whole data directory from a backup; ' +
  'to start with an empty database, set DATA_DIR to another directory';

/** Runs `make`; if it is cut short, the next start begins again. */
export async function makeFiles<Made>(directory: string, make: () => Promise<Made>): Promise<Made> {
  writeFileSync(unfinishedMark(directory), '');
  const made = await make();
  rmSync(unfinishedMark(directory));
  return made;
}

/** The directory may have been there, open to others; so may a database that was restored into it. */
export function closeToOthers(directory: string): void {
  const files = embeddedFiles(directory);
  const below = existsSync(files) ? readdirSync(files, { recursive: true, encoding: 'utf8' }) : [];
  const own = ['secret.key', 'demo.json'].map((name) => join(directory, name));
  for (const path of [files, ...below.map((name) => join(files, name)), ...own]) closeFile(path);
}

function closeFile(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink() || (stats.mode & 0o077) === 0) return;
  try {
    chmodSync(path, stats.mode & 0o700);
  } catch (error) {
    throw new Error(
      `others can read ${path}, and that cannot be changed: ${(error as Error).message}. ` +
        'The whole data directory must belong to the user that runs the service',
    );
  }
}
