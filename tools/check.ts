/**
 * Everything that judges the code without running it: `npm run check`, or only the steps that are named. What has not
 * changed since it was judged good is not judged again, but for `--all`. `--write` formats, and mends what Biome can.
 */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { cache, keyOf, openKnown } from './known.ts';
import { commandOf, root } from './programs.ts';

const all = process.argv.includes('--all');
const mends = process.argv.includes('--write');
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const only = all ? ['--all'] : [];
const known = openKnown('steps', all);

/** The files of the project with a hash of each, in order of their names. */
const files: readonly (readonly [path: string, hash: string])[] = filesBelow('').map((path) => [
  path,
  keyOf(readFileSync(join(root, path))),
]);

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (/^(node_modules|\.git|\.cache|data|coverage|dist|__pycache__)$/.test(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(`${path}/`);
    return entry.isFile() ? [path] : [];
  });
}

interface Step {
  name: string;
  /** A file for Node and its arguments. */
  program: readonly string[];
  /** What it judges: if that is as it was, so is the judgement. */
  keys: readonly string[];
}

/** All that the files say which match. A tool may have changed as well. */
function read(name: string, program: readonly string[], path: RegExp): Step {
  const found = files
    .filter((file) => path.test(file[0]) || /^(tools\/)?package-lock\.json$/.test(file[0]))
    .flat();
  return { name, program, keys: [keyOf(name, ...found)] };
}

/** Judges each file by itself. */
function biome(): Step {
  const [, settings = ''] = files.find(([path]) => path === 'biome.json') ?? [];
  const judged = files.map(([path, hash]) => ({ path, key: keyOf('biome', settings, path, hash) }));
  const changed = judged.filter(({ key }) => !known.has(key));
  // A command line has room for so many.
  const paths = changed.length > 500 ? [] : changed.map(({ path }) => path);
  const words = [
    'check',
    ...(mends ? ['--write'] : []),
    '--no-errors-on-unmatched',
    '--files-ignore-unknown=true',
    ...paths,
  ];
  const program = [commandOf('@biomejs/biome', 'biome'), ...words];
  return { name: 'biome', program, keys: changed.map(({ key }) => key) };
}

const tsc = [commandOf('typescript', 'tsc'), '--noEmit'];
// Judges what a change can reach.
const incremental = ['--incremental', '--tsBuildInfoFile', `${cache}tsc.tsbuildinfo`];

const steps: readonly Step[] = [
  read(
    'patterns',
    ['tools/patterns/main.ts', ...only],
    /^(src|handlers|generated|tools|clients|docs\/assets|tsconfig)/,
  ),
  read('types', [...tsc, ...(all ? [] : incremental)], /\.(ts|json)$/),
  read('documents', ['tools/lint-documents.ts'], /^(generated|tools)/),
  read(
    'generated',
    ['tools/generate.ts', '--check'],
    /^(spec|generated|tools|clients|handlers|src\/contract)/,
  ),
  biome(),
];

/** Prints what the program says, once it has ended. */
async function judge({ name, program, keys }: Step): Promise<boolean> {
  if (keys.every((key) => known.has(key))) return true;
  const child = spawn(process.execPath, program, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const status = await new Promise((resolve) => child.on('close', resolve));
  process.stdout.write(`${name}: ${status === 0 ? 'good' : 'not good'}\n`);
  if (status !== 0) process.stdout.write(Buffer.concat(output));
  else for (const key of keys) known.add(key);
  return status === 0;
}

const waiting = steps.filter(({ name }) => named.length === 0 || named.includes(name));
if (waiting.length < named.length)
  throw new Error(`The steps are ${steps.map(({ name }) => name).join(', ')}`);
const verdicts: boolean[] = [];
async function work(): Promise<void> {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift())
    verdicts.push(await judge(step));
}
await Promise.all(Array.from({ length: availableParallelism() }, work));
known.save();
if (verdicts.includes(false)) process.exitCode = 1;
