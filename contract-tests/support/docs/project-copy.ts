/** A copy of the project as it is here, with what was installed. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns its directory, which is the caller's to remove. */
export function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'tarishi-copy-'));
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const files = execFileSync('git', list, { cwd: root, encoding: 'utf8', maxBuffer: 1e8 }).split('\0');
  for (const file of files.filter((name) => name !== '')) cpSync(join(root, file), join(copy, file));
  mkdirSync(join(copy, 'vendor'), { recursive: true });
  for (const built of ['node_modules', 'tools/node_modules', 'vendor/pglite'])
    symlinkSync(join(root, built), join(copy, built));
  return copy;
}
