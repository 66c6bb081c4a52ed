/** Finds installed third-party programs to test against; a test without its peer says so and is skipped. */
import { spawnSync } from 'node:child_process';
import { test } from '@jest/globals';

/** `test`, or `test.skip` when the command does not end with 0; then a line says which package to install. */
export function withPeer(
  aptPackage: string,
  command: string,
  args: readonly string[],
): typeof test | typeof test.skip {
  const { status } = spawnSync(command, args, { stdio: 'ignore' });
  if (status === 0) return test;
  process.stderr.write(`skipped: ${command} is not here (apt-get install ${aptPackage})\n`);
  return test.skip;
}
