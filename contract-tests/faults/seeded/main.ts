/** Puts each mistake into a copy of the project, and says which fault finds it: `node contract-tests/faults/seeded/main.ts [words]`. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bug, bugs } from './bugs.ts';

const project = fileURLToPath(new URL('../../../', import.meta.url));
const copied = [
  'src',
  'handlers',
  'contract-tests/faults',
  'generated',
  'spec',
  'docs',
  'clients',
  'vendor',
  'bin',
  'package.json',
];
/** Plans of each life, and pairs. */
const ofLife = process.env.FAULTS ?? '10';
const pairs = process.env.FAULT_PAIRS ?? '60';
const seed = process.env.SEED ?? new Date().toISOString().slice(0, 10).replaceAll('-', '');
const [, , words = ''] = process.argv;

process.stdout.write(`SEED=${seed}\n`);
let missed = 0;
for (const bug of bugs.filter(({ name }) => name.includes(words))) {
  const found = find(bug);
  if (found === undefined) missed += 1;
  process.stdout.write(`${found === undefined ? 'MISSED' : 'found '}  ${bug.name}\n        ${found ?? ''}\n`);
}
process.exit(missed === 0 ? 0 : 1);

/** The run that found it. */
function find({ changes }: Bug): string | undefined {
  const copy = mkdtempSync(join(tmpdir(), 'tarishi-bug-'));
  try {
    for (const name of copied) cpSync(join(project, name), join(copy, name), { recursive: true });
    symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'));
    for (const { file, from, to } of changes) {
      const path = join(copy, file);
      writeFileSync(
        path,
        readFileSync(path, 'utf8').replace(from, () => to),
      );
    }
    return struckIn(copy, ['--of-life', ofLife]) ?? struckIn(copy, ['--pairs', '--runs', pairs]);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

/** The first run with a violation. */
function struckIn(copy: string, options: readonly string[]): string | undefined {
  const all = [join(copy, 'contract-tests/faults/main.ts'), '--seed', seed, '--stop', ...options];
  const { stdout } = spawnSync(process.execPath, all, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const last = lines.at(-1);
  if (last === undefined || last.violations.length === 0) return undefined;
  const struck = lines.filter(({ boundaries }) => boundaries === undefined).length;
  const kind = options.includes('--pairs') ? 'pair' : 'run';
  return `${kind} ${struck}, ${last.life}: ${last.plan}: ${last.violations.join('; ')}`;
}
