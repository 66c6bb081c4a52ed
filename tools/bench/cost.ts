/** What one message costs: CPU time, and what it makes PostgreSQL write; of two checkouts in turn, if there is another. */
import type { Figures } from './flow.ts';
import type { Cluster } from './parts/postgres.ts';
import { serviceEndToEnd } from './systems.ts';

export interface CostOptions {
  cluster: Cluster;
  seconds: number;
  recipients: number;
  /** Another checkout with which this one takes turns. */
  beside: string | undefined;
  rounds: number;
}

export async function studyCost({
  cluster,
  seconds,
  recipients,
  beside,
  rounds,
}: CostOptions): Promise<string[]> {
  const sides = beside === undefined ? [undefined] : [beside, undefined];
  const measured = new Map<string | undefined, Figures[]>(sides.map((side) => [side, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const directory of sides) {
      const shape = { commands: ['start' as const], cluster, recipients, directory };
      measured.get(directory)?.push(await serviceEndToEnd(shape, seconds));
    }
  const lines = sides.flatMap((side) =>
    linesOf(side === undefined ? 'this checkout' : 'the other checkout', measured.get(side) ?? []),
  );
  if (beside === undefined) return lines;
  const [before, now] = sides.map((side) => median((measured.get(side) ?? []).map(together)));
  return [...lines, `CPU together: ${((now ?? 0) / (before ?? 1)).toFixed(2)} of that of the other checkout`];
}

const nodeMicros = ({ cpu }: Figures) => cpu.start ?? 0;
const databaseMicros = ({ cpu }: Figures) => cpu.database ?? 0;
const together = (figures: Figures) => nodeMicros(figures) + databaseMicros(figures);

function linesOf(name: string, figures: readonly Figures[]): string[] {
  const micros = (of: (one: Figures) => number) => {
    const values = figures.map(of).map(Math.round);
    return `${Math.round(median(values))} µs (${Math.min(...values)} to ${Math.max(...values)})`;
  };
  const works = figures.flatMap(({ work }) => work ?? []);
  const count = (of: (one: (typeof works)[number]) => number | undefined) => {
    const values = works.flatMap((one) => of(one) ?? []);
    return values.length === 0 ? '–' : median(values).toFixed(2);
  };
  return [
    `${name}: CPU ${micros(together)}: Node ${micros(nodeMicros)}, PostgreSQL ${micros(databaseMicros)}`,
    `${name}: per message ${count(({ statements }) => statements)} statements, ` +
      `${count(({ log }) => log?.inserted)} rows inserted, ${count(({ log }) => log?.updated)} updated ` +
      `(${count(({ log }) => log?.hotUpdates)} heap-only), ${count(({ log }) => log?.deleted)} deleted, ` +
      `${count(({ log }) => log?.rowLocks)} row locks, ${count(({ log }) => log?.indexEntries)} index entries, ` +
      `${count(({ log }) => log?.octets)} octets of WAL without page images`,
  ];
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
