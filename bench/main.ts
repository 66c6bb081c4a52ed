/** The benchmark's command line: runs the named rows, or all, and writes RESULTS.md. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMachine } from './machine.ts';
import { kannelVersion } from './parts/kannel.ts';
import { type Cluster, startCluster } from './parts/postgres.ts';
import { lineOf, type Measured, report } from './results.ts';
import { type Baseline, baselines, type Row, rows } from './rows.ts';
import { benchSubmit } from './smpp/submit.ts';

const usage = `npm run bench -- [--seconds N] [rows…]
  Measures the rows, or all of them, and writes bench/RESULTS.md.
  smpp: submit_sm beside npm's smpp, on the terminal only
${rows.map(({ name, about }) => `  ${name}: ${about}`).join('\n')}
`;

const { values, positionals } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    help: { type: 'boolean' },
  },
  allowPositionals: true,
});
const print = (line: string) => process.stdout.write(`${line}\n`);

if (values.help) print(usage);
else if (positionals.includes('smpp')) await benchSubmit(print);
else await measureAll(chosen(positionals), Number(values.seconds));

function chosen(names: readonly string[]): readonly Row[] {
  if (names.length === 0) return rows;
  return names.map((name) => {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) throw new Error(`unknown row ${name}\n${usage}`);
    return row;
  });
}

async function measureAll(selected: readonly Row[], seconds: number): Promise<void> {
  const kannel = kannelVersion();
  if (kannel === undefined) print('Kannel is not installed: its rows and ratios are left out');
  const cluster = selected.some(({ postgres }) => postgres) ? await startCluster() : undefined;
  const machine = describeMachine([cluster?.version, kannel && `Kannel ${kannel}`]);
  for (const line of machine) print(line);
  try {
    const measured = await measureRows(selected, cluster, seconds, kannel !== undefined);
    writeFileSync(new URL('RESULTS.md', import.meta.url), report(machine, seconds, measured));
  } finally {
    await cluster?.stop();
  }
}

async function measureRows(
  selected: readonly Row[],
  cluster: Cluster | undefined,
  seconds: number,
  withKannel: boolean,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  const keep = (one: Measured) => {
    measured.push(one);
    print(lineOf(one));
  };
  const known = new Map<Baseline, number>();
  const baselineOf = async (name: Baseline) => {
    const figures = await baselines[name](seconds);
    known.set(name, figures.messagesPerSecond);
    keep({ name, about: 'for comparison', figures, against: [] });
  };
  for (const { name, about, against, postgres, run } of selected) {
    const compared = against.filter((one) => withKannel || !one.startsWith('Kannel'));
    for (const one of compared) if (!known.has(one)) await baselineOf(one);
    const figures = await run(postgres ? cluster : undefined, seconds);
    keep({
      name,
      about,
      figures,
      against: compared.map((one) => ({ name: one, messagesPerSecond: known.get(one) ?? Number.NaN })),
    });
  }
  return measured;
}
