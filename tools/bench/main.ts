/** The benchmark's command line: runs the named rows, or all, and writes RESULTS.md. */
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { parseArgs } from 'node:util';
import { type Progress, startProgress } from '../../src/platform/progress.ts';
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
    seconds: { type: 'string', default: '10' },
    stored: { type: 'string', default: '1000000,10000000' },
    minutes: { type: 'string', default: '10' },
    beside: { type: 'string' },
    rounds: { type: 'string', default: '1' },
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
    const run = { day: new Date().toISOString().slice(0, 10), machine, secondsPerRow: seconds };
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

async function measureRows(
  selected: readonly Row[],
  cluster: Cluster | undefined,
  seconds: number,
  withKannel: boolean,
  progress: Progress,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  const keep = (one: Measured) => {
    measured.push(one);
    progress.above(() => print(lineOf(one)));
  };
  const known = new Map<string, number>();
  const measureBaseline = async (name: keyof typeof baselines) => {
    const figures = await baselines[name](seconds);
    known.set(name, figures.messagesPerSecond);
    keep({ name, about: 'for comparison', figures, against: [] });
  };
  const figuresOf = async ({ name, postgres, run }: Row) => {
    const figures = await run(postgres ? cluster : undefined, seconds);
    known.set(name, figures.messagesPerSecond);
    return figures;
  };
  const measureRow = async (row: Row) => {
    const { name, about, against } = row;
    const compared = against.filter((one) => withKannel || !one.startsWith('Kannel'));
    for (const one of compared) {
      if (known.has(one)) continue;
      if (isBaseline(one)) await measureBaseline(one);
      // Only for the ratio: its own result stays that of a run which was asked for it.
      else for (const other of named(rows, [one])) await figuresOf(other);
    }
    const figures = await figuresOf(row);
    keep({
      name,
      about,
      figures,
      against: compared.map((one) => ({ name: one, messagesPerSecond: known.get(one) ?? Number.NaN })),
    });
  };
  for (const [place, row] of selected.entries()) {
    progress.at(place);
    await measureRow(row);
  }
  progress.at(selected.length);
  return measured;
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
