/** What each part of a release is made with. */
import { type ExecFileSyncOptions, execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Release {
  version: string;
  /** Where its files go. */
  folder: string;
  /** Seconds since 1970: the time of its files. */
  time: number;
}

/** Throws if the program fails; what it says goes to the terminal. */
export function output(program: string, words: readonly string[], options: ExecFileSyncOptions): string {
  return execFileSync(program, words, { stdio: ['ignore', 'pipe', 'inherit'], ...options, encoding: 'utf8' });
}

/** Files of a folder that an archive may keep, in the order of their names. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** A zip of a folder, its files below `prefix`. The same files make the same bytes. */
export function zip(folder: string, prefix: string, to: string, { time }: Release): void {
  const files = filesIn(folder);
  const program = `
import sys, time, zipfile
folder, prefix, to, seconds, *files = sys.argv[1:]
with zipfile.ZipFile(to, 'w', zipfile.ZIP_DEFLATED) as archive:
    for file in files:
        info = zipfile.ZipInfo(prefix + file, time.gmtime(int(seconds))[:6])
        info.external_attr = 0o100644 << 16
        with open(folder + '/' + file, 'rb') as source:
            archive.writestr(info, source.read(), zipfile.ZIP_DEFLATED)
`;
  output('python3', ['-c', program, folder, prefix, to, String(time), ...files], {});
}
