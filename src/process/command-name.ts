/** The command line as it can be typed in this folder. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Such as `npx tarishi`, with the setting of a data directory that is not the default one. */
export function commandName(dataDirectory: string): string {
  const set =
    process.platform === 'win32' ? `set "DATA_DIR=${dataDirectory}" && ` : `DATA_DIR=${dataDirectory} `;
  const settings = resolve(dataDirectory) === resolve('data') ? '' : set;
  if (existsSync(join('node_modules', '.bin', 'tarishi'))) return `${settings}npx tarishi`;
  const launcher = fileURLToPath(new URL('../../bin/tarishi.js', import.meta.url));
  const near = relative('', launcher);
  return `${settings}node "${near.startsWith('..') ? launcher : near}"`;
}
