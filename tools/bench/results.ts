/** Writes what was measured: a line per row on the terminal, and RESULTS.md. */
import { type Figures, meanOf, warmUpSeconds } from './flow.ts';

export interface Measured {
  name: string;
  about: string;
  /** Of each round. */
  all: readonly Figures[];
  /** What it is compared with, in the same run. */
  against: readonly { name: string; figures: Figures }[];
}

/** What a study found, one line each. */
export interface Finding {
  name: string;
  lines: readonly string[];
}

export interface Run {
  /** The day, in UTC. */
  day: string;
  commit: string;
  machine: readonly string[];
  secondsPerRow: number;
  rounds: number;
}

/** In the order in which they are shown. */
export interface Kept {
  rows: (Measured & { run: Run })[];
  findings: (Finding & { run: Run })[];
}

/** Processes that are the benchmark's, not the system's. */
const ours = new Set(['load', 'smsc', 'receiver']);

export function lineOf({ name, all, against }: Measured): string {
  const figures = meanOf(all);
  const { perMessage, byProcess } = cpuOf(figures);
  return [
    `${name}: ${whole(perMessage)} µs per message (${byProcess})`,
    `${whole(figures.messagesPerSecond)} messages/s`,
    ...against.map(
      (one) => `${ratio(figures.messagesPerSecond, one.figures.messagesPerSecond)} × ${one.name}`,
    ),
    ...(figures.lost ? [`${figures.lost} LOST`] : []),
    ...(figures.faulty ? [`${figures.faulty} callbacks with a WRONG SIGNATURE`] : []),
  ].join(', ');
}

/** Each run has a number, by which the rows name it. */
/** `names`: all rows that there are. */
export function report({ rows, findings }: Kept, names: readonly string[]): string {
  const runs = [...new Map([...rows, ...findings].map(({ run }) => [nameOf(run), run])).values()];
  const missing = names.filter((name) => ![...rows, ...findings].some((one) => one.name === name));
  const numberOf = (run: Run) => runs.findIndex((one) => nameOf(one) === nameOf(run)) + 1;
  return `# Results of the benchmark

Written by \`npm run bench\`. Load generator, SMSC, receiver, service and database share the machine, so only the ratios
within a run mean something. A run replaces the results of the rows that it measured; each is of the commit of its run.
Compare CPU per message: the rate of Kannel end to end is bounded by its window, whatever the machine does.

${runs.map(describeRun).join('\n')}
${missing.length === 0 ? '' : `\nNot measured: ${missing.join(', ')}.\n`}
${rows.length === 0 ? '' : tableOf(rows, numberOf)}${findingsOf(findings, numberOf)}${rows.map(profileOf).join('')}`;
}

const nameOf = (run: Run) => JSON.stringify(run);

function describeRun({ day, commit, machine, secondsPerRow, rounds }: Run, index: number): string {
  const what = `${rounds} × ${secondsPerRow} seconds per row, in turn, each after a warm-up of ${warmUpSeconds} seconds`;
  return [
    `- run ${index + 1}: ${day}, commit ${commit}, ${what}`,
    ...machine.map((line) => `  - ${line}`),
  ].join('\n');
}

function tableOf(measured: Kept['rows'], numberOf: (run: Run) => number): string {
  return `| row | run | CPU per message, µs | messages/s | statements and rows written per message | peak memory, MB | request p50 / p99, ms | other work, cores |
|---|---|---|---|---|---|---|---|
${measured.map((one) => tableRow(one, numberOf(one.run))).join('\n')}

**CPU per message**: all processes of the system and its database; in brackets each of them, then the benchmark's own load
generator, SMSC and receiver; the spread is that of the rounds. **Rows written** are inserted + updated + deleted. **Other work** is the number of
cores that other processes used during the run. Beside more than a few tenths, less is compiled and batches are smaller, so
that a message costs up to three times as much: such a row tells nothing about another one, nor does docs/scaling.md have it.

${measured.map(({ name, about }) => `- **${name}**: ${about}`).join('\n')}
`;
}

function findingsOf(findings: Kept['findings'], numberOf: (run: Run) => number): string {
  if (findings.length === 0) return '';
  const lines = findings.flatMap(({ name, lines, run }) =>
    lines.map((line) => `- **${name}** (run ${numberOf(run)}): ${line}`),
  );
  return `
## Growth, time and overload

${lines.join('\n')}
`;
}

function tableRow({ name, all, against }: Measured, run: number): string {
  const figures = meanOf(all);
  const { messagesPerSecond, work, memory, p50, p99, otherCores } = figures;
  const { perMessage, byProcess } = cpuOf(figures);
  const spread = (of: (one: Figures) => number) => {
    const values = all.map(of);
    return all.length < 2 ? '' : `, ${whole(Math.min(...values))} to ${whole(Math.max(...values))}`;
  };
  const ratios = (of: (one: Figures) => number) =>
    against.map((one) => `<br>${ratio(of(figures), of(one.figures))} × ${one.name}`).join('');
  const written =
    work === undefined
      ? '–'
      : `${work.statements?.toFixed(2) ?? '–'}; ${work.rows.inserted.toFixed(1)} + ${work.rows.updated.toFixed(1)} + ${work.rows.deleted.toFixed(1)}`;
  const peaks = Object.entries(memory).map(([process, megabytes]) => `${process} ${whole(megabytes)}`);
  const cpu = (one: Figures) => cpuOf(one).perMessage;
  const rate = (one: Figures) => one.messagesPerSecond;
  const cells = [
    name + (figures.lost ? ` (${figures.lost} lost)` : ''),
    String(run),
    `**${whole(perMessage)}**${spread(cpu)}${ratios(cpu)}<br>${byProcess}`,
    `${whole(messagesPerSecond)}${spread(rate)}${ratios(rate)}`,
    written,
    peaks.join('<br>'),
    `${p50.toFixed(1)} / ${p99.toFixed(1)}`,
    otherCores.toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

export function cpuOf({ cpu }: Figures): { perMessage: number; byProcess: string } {
  const system = Object.entries(cpu).filter(([name]) => !ours.has(name));
  const own = Object.entries(cpu).filter(([name]) => ours.has(name));
  return {
    perMessage: system.reduce((sum, [, micros]) => sum + micros, 0),
    byProcess: [...system, ...own].map(([name, micros]) => `${name} ${whole(micros)}`).join(', '),
  };
}

/** The statements that cost most. */
function profileOf({ name, all }: Measured): string {
  const top = all.at(-1)?.work?.profile ?? [];
  if (top.length === 0) return '';
  const lines = top.map(
    ({ query, calls, rows, buffers, milliseconds }) =>
      `| ${whole(milliseconds)} | ${calls} | ${whole(rows / calls)} | ${whole(buffers / calls)} | \`${query}\` |`,
  );
  return `
## Statements of ${name}

| ms in 3 s | calls | rows per call | buffers per call | statement |
|---|---|---|---|---|
${lines.join('\n')}
`;
}

export function shortened(query: string): string {
  const flat = query.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'").trim();
  return flat.length > 110 ? `${flat.slice(0, 109)}…` : flat;
}

function ratio(value: number, base: number): string {
  return (value / base).toFixed(2);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
