/** The benchmark's command line: runs the named rows, or all, and writes RESULTS.md. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { parseArgs } from 'node:util';
import { type Progress, startProgress } from '../../src/platform/progress.ts';
import { type Figures, meanOf } from './flow.ts';
import { keepResults } from './kept.ts';
import { kannelVersion } from './parts/kannel.ts';
import { patroniVersion } from './parts/patroni.ts';
import { type Cluster, startCluster } from './parts/postgres.ts';
import { type Finding, lineOf, type Measured } from './results.ts';
import { baselines, isBaseline, type Row, rows } from './rows.ts';
import { benchSubmit } from './smpp/submit.ts';
import { type Study, studies } from './studies.ts';

const listed = (ones: readonly { name: string; about: string }[]) =>
  ones.map(({ name, about }) => `  ${name}: ${about}`).join('\n');
const usage = `npm run bench -- [--seconds N] [--stored N,N…] [--minutes N] [--beside DIRECTORY] [--rounds N] [rows…]
Measures these rows, or all of them, and writes tools/bench/RESULTS.md, where the results of other rows stay:
${listed(rows)}
Only when they are named:
${listed(studies)}
  smpp: submit_sm beside npm's smpp, on the terminal only
`;

const { values, positionals } = parseArgs({
  options: {
    seconds: { type: 'string', default: '15' },
    stored: { type: 'string', default: '1000000,10000000' },
    minutes: { type: 'string', default: '10' },
    beside: { type: 'string' },
    rounds: { type: 'string', default: '2' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});
/** In the order in which results are shown. */
const everyName = [
  ...new Set(rows.flatMap(({ name, against }) => [...against, name])),
  ...studies.map(({ name }) => name),
];
const print = (line: string) => process.stdout.write(`${line}\n`);

if (values.help) print(usage);
else if (positionals.includes('smpp')) await benchSubmit(print);
else await measureAll(positionals);

async function measureAll(names: readonly string[]): Promise<void> {
  const patroni = patroniVersion();
  if (patroni === undefined) print('Patroni, etcd or HAProxy is not installed: rows with them are left out');
  const selected = (names.length === 0 ? rows : named(rows, names)).filter(
    (row) => !row.patroni || patroni !== undefined,
  );
  const studied = named(studies, names);
  for (const name of names)
    if (![...rows, ...studied].some((one) => one.name === name))
      throw new Error(`unknown row ${name}\n${usage}`);
  const seconds = Number(values.seconds);
  const kannel = kannelVersion();
  if (kannel === undefined) print('Kannel is not installed: its rows and ratios are left out');
  const cluster = [...selected, ...studied].some(({ postgres }) => postgres)
    ? await startCluster()
    : undefined;
  const machine = describeMachine([
    cluster?.version,
    kannel && `Kannel ${kannel}`,
    patroni && `Patroni ${patroni}`,
  ]);
  for (const line of machine) print(line);
  const progress = startProgress(selected.length + studied.length, 'measured');
  try {
    const measured = await measureRows(selected, cluster, seconds, kannel !== undefined, progress);
    const findings = await study(studied, cluster, seconds, progress, selected.length);
    const commit = execFileSync('git', ['log', '-1', '--format=%h'], { encoding: 'utf8' }).trim();
    const day = new Date().toISOString().slice(0, 10);
    const run = { day, commit, machine, secondsPerRow: seconds, rounds: Number(values.rounds) };
    keepResults(run, measured, findings, everyName);
  } finally {
    progress.end();
    await cluster?.stop();
  }
}

function named<One extends { name: string }>(ones: readonly One[], names: readonly string[]): One[] {
  return ones.filter(({ name }) => names.includes(name));
}

async function study(
  studied: readonly Study[],
  cluster: Cluster | undefined,
  seconds: number,
  progress: Progress,
  before: number,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, postgres, run } of studied) {
    const options = {
      cluster: postgres ? cluster : undefined,
      seconds,
      stored: values.stored.split(',').map(Number),
      minutes: Number(values.minutes),
      beside: values.beside,
      rounds: Number(values.rounds),
    };
    const lines = await run(options);
    progress.above(() => {
      for (const line of lines) print(`${name}: ${line}`);
    });
    findings.push({ name, lines });
    progress.at(before + findings.length);
  }
  return findings;
}

/** Each row and what it is compared with, in turn, as often as there are rounds: what disturbs one disturbs all. */
async function measureRows(
  selected: readonly Row[],
  cluster: Cluster | undefined,
  seconds: number,
  withKannel: boolean,
  progress: Progress,
): Promise<Measured[]> {
  const against = ({ against: all }: Row) => all.filter((one) => withKannel || !one.startsWith('Kannel'));
  const names = [...new Set(selected.flatMap((row) => [...against(row), row.name]))];
  const measured = new Map<string, Figures[]>(names.map((name) => [name, []]));
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const name of names) {
      const figures = await figuresOf(name, cluster, seconds);
      measured.get(name)?.push(figures);
      progress.above(() => print(lineOf({ name, about: '', all: [figures], against: [] })));
    }
  progress.at(selected.length);
  const all = (name: string) => measured.get(name) ?? [];
  // What a row is compared with is kept only if it was asked for, or is no row.
  const kept = names.filter((name) => isBaseline(name) || selected.some((row) => row.name === name));
  return kept.map((name) => {
    const row = selected.find((one) => one.name === name);
    return {
      name,
      about: row?.about ?? 'for comparison',
      all: all(name),
      against: row === undefined ? [] : against(row).map((one) => ({ name: one, figures: meanOf(all(one)) })),
    };
  });
}

async function figuresOf(name: string, cluster: Cluster | undefined, seconds: number): Promise<Figures> {
  if (isBaseline(name)) return baselines[name](seconds);
  const [row] = named(rows, [name]);
  if (row === undefined) throw new Error(`unknown row ${name}`);
  return row.run(row.postgres ? cluster : undefined, seconds);
}

/** One line each. */
function describeMachine(versions: readonly (string | undefined)[]): string[] {
  const cores = cpus();
  const [minute = 0] = loadavg();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  return [
    `${cores.length} × ${cores[0]?.model.trim() || 'unknown processor'}, ${gigabytes} GB of memory, ${type()} ${release()}`,
    `Node ${process.versions.node}${versions.map((one) => (one === undefined ? '' : `, ${one}`)).join('')}`,
    `load average before the run: ${minute.toFixed(2)}${minute > 0.5 ? ' (other work was running)' : ''}`,
  ];
}
