/** Bundles spec/NAME.yaml and the files that it refers to into one document, as YAML for people and JSON for the service. Usage: `node tools/write-bundle.ts generated/NAME.yaml [--check]`. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { commandOf } from './programs.ts';

const [file, option] = process.argv.slice(2);
if (file === undefined) throw new Error('which file?');
const root = `spec/${basename(file)}`;
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [commandOf('@redocly/cli', 'redocly'), 'bundle', root],
  { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 },
);
const written = {
  [file]: `# Written from ${root} by npm run generate.\n${stdout}`,
  [file.replace(/yaml$/, 'json')]: `${JSON.stringify(load(stdout), null, 1)}\n`,
};
if (status !== 0) {
  process.stderr.write(stderr);
  process.exitCode = 1;
} else
  for (const [path, text] of Object.entries(written))
    if (option !== '--check') writeFileSync(path, text);
    else if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
      process.stderr.write(`${path} is not what ${root} says: npm run generate\n`);
      process.exitCode = 1;
    }
