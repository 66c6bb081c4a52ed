/** Bundles spec/NAME.yaml and the files that it refers to into one document. Usage: `node tools/write-bundle.ts generated/NAME.yaml [--check]`. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandOf } from './programs.ts';

const [file, option] = process.argv.slice(2);
if (file === undefined) throw new Error('which file?');
const root = `spec/${basename(file)}`;
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [commandOf('@redocly/cli', 'redocly'), 'bundle', root],
  { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
const text = `# Written from ${root} by npm run generate.\n${stdout}`;
if (status !== 0) {
  process.stderr.write(stderr);
  process.exitCode = 1;
} else if (option !== '--check') writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write(`${file} is not what ${root} says: npm run generate\n`);
  process.exitCode = 1;
}
