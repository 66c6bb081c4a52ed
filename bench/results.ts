/** Writes what a run measured: a line per row on the terminal, and bench/RESULTS.md. */
import type { Figures } from './flow.ts';

export interface Measured {
  name: string;
  about: string;
  figures: Figures;
  /** Messages per second of what it is compared with, in the same run. */
  against: readonly { name: string; messagesPerSecond: number }[];
}

/** Processes that are the benchmark's, not the system's. */
const ours = new Set(['load', 'smsc', 'receiver']);

export function lineOf({ name, figures, against }: Measured): string {
  const ratios = against.map(
    ({ name, messagesPerSecond }) => `${ratio(figures.messagesPerSecond, messagesPerSecond)} × ${name}`,
  );
  const { perMessage, byProcess } = cpuOf(figures);
  return [
    `${name}: ${whole(figures.messagesPerSecond)} messages/s`,
    ...ratios,
    `${whole(perMessage)} µs per message (${byProcess})`,
    ...(figures.lost ? [`${figures.lost} LOST`] : []),
    ...(figures.faulty ? [`${figures.faulty} callbacks with a WRONG SIGNATURE`] : []),
  ].join(', ');
}

export function report(
  machine: readonly string[],
  seconds: number,
  measured: readonly Measured[],
  findings: readonly string[],
): string {
  return `# Results of the benchmark

Written by \`npm run bench\`, ${seconds} seconds per row after a warm-up of 3 seconds. Load generator, SMSC, receiver, service
and database share the machine, so only the ratios within this run mean something.

${machine.map((line) => `- ${line}`).join('\n')}

${measured.length === 0 ? '' : tableOf(measured)}${findingsOf(findings)}${measured.map(profileOf).join('')}`;
}

function tableOf(measured: readonly Measured[]): string {
  return `| row | messages/s | ratio | CPU per message, µs | statements and rows written per message | peak memory, MB | request p50 / p99, ms | other work, cores |
|---|---|---|---|---|---|---|---|
${measured.map(tableRow).join('\n')}

**CPU per message**: all processes of the system and its database; in brackets each of them, then the benchmark's own load
generator, SMSC and receiver. **Rows written** are inserted + updated + deleted. **Other work** is the number of
cores that other processes used during the run. If it exceeds a few tenths, compare CPU times, not rates.

${measured.map(({ name, about }) => `- **${name}**: ${about}`).join('\n')}
`;
}

function findingsOf(findings: readonly string[]): string {
  if (findings.length === 0) return '';
  return `
## Growth, time and overload

${findings.map((finding) => `- ${finding}`).join('\n')}
`;
}

function tableRow({ name, figures, against }: Measured): string {
  const { messagesPerSecond, work, memory, p50, p99, otherCores } = figures;
  const { perMessage, byProcess } = cpuOf(figures);
  const ratios = against.map((one) => `${ratio(messagesPerSecond, one.messagesPerSecond)} × ${one.name}`);
  const written =
    work === undefined
      ? '–'
      : `${work.statements?.toFixed(2) ?? '–'}; ${work.rows.inserted.toFixed(1)} + ${work.rows.updated.toFixed(1)} + ${work.rows.deleted.toFixed(1)}`;
  const peaks = Object.entries(memory).map(([process, megabytes]) => `${process} ${whole(megabytes)}`);
  const cells = [
    name + (figures.lost ? ` (${figures.lost} lost)` : ''),
    whole(messagesPerSecond),
    ratios.join('<br>') || '–',
    `${whole(perMessage)} (${byProcess})`,
    written,
    peaks.join('<br>'),
    `${p50.toFixed(1)} / ${p99.toFixed(1)}`,
    otherCores.toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

function cpuOf({ cpu }: Figures): { perMessage: number; byProcess: string } {
  const system = Object.entries(cpu).filter(([name]) => !ours.has(name));
  const own = Object.entries(cpu).filter(([name]) => ours.has(name));
  return {
    perMessage: system.reduce((sum, [, micros]) => sum + micros, 0),
    byProcess: [...system, ...own].map(([name, micros]) => `${name} ${whole(micros)}`).join(', '),
  };
}

/** The statements that cost most. */
function profileOf({ name, figures }: Measured): string {
  const top = figures.work?.profile?.slice(0, 10) ?? [];
  if (top.length === 0) return '';
  const lines = top.map(
    ({ query, calls, rows, buffers, milliseconds }) =>
      `| ${whole(milliseconds)} | ${calls} | ${whole(rows / calls)} | ${whole(buffers / calls)} | \`${shortened(query)}\` |`,
  );
  return `
## Statements of ${name}

| ms in 3 s | calls | rows per call | buffers per call | statement |
|---|---|---|---|---|
${lines.join('\n')}
`;
}

function shortened(query: string): string {
  const flat = query.replace(/\s+/g, ' ').replaceAll('|', '\\|').replaceAll('`', "'").trim();
  return flat.length > 110 ? `${flat.slice(0, 109)}…` : flat;
}

function ratio(value: number, base: number): string {
  return (value / base).toFixed(2);
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}
