/** Runs the programs of development one after the other, without a shell: as well on Windows. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The file of a command that a package brings, of tools/ or of the project. */
export function commandOf(packageName: string, command: string): string {
  const manifests = ['tools', '.'].map((folder) =>
    join(root, folder, 'node_modules', packageName, 'package.json'),
  );
  const manifest = manifests.find(existsSync);
  if (manifest === undefined) throw new Error(`${packageName} is not installed`);
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(dirname(manifest), bin[command]);
}

/** Each is a file for Node and its arguments. Ends this process with the first exit code that is not 0. */
export function runAll(programs: readonly (readonly string[])[]): void {
  for (const program of programs) {
    const { status, error } = spawnSync(process.execPath, program, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    if (error !== undefined) throw error;
    if (status !== 0) process.exit(status ?? 1);
  }
}
