/** Slow tests of what rarely changes: they run when something that they read has changed. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isLarge } from '../../src/platform/sized-testing.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Whether the last commit or the working tree changes one of the paths; otherwise says that the tests are skipped.
 * True without Git's history, with TESTS=all as in .ci/run, and with TEST_SIZE=large.
 */
export function isAffected(tests: string, paths: readonly string[]): boolean {
  if (isLarge || process.env.TESTS === 'all' || changedFiles(paths) !== '') return true;
  process.stdout.write(
    `skipped: ${tests}: the last commit and the working tree change nothing that they read; TESTS=all runs them\n`,
  );
  return false;
}

function changedFiles(paths: readonly string[]): string {
  const git = (...words: string[]) =>
    execFileSync('git', [...words, '--', ...paths], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  try {
    return git('diff', '--name-only', 'HEAD~1') + git('ls-files', '--others', '--exclude-standard');
  } catch {
    return 'unknown';
  }
}
