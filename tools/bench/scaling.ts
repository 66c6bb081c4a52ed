/** What a message costs, as docs/scaling.md says it: written from the results, so that both say the same. */
import { type Figures, meanOf } from './flow.ts';
import { cpuOf, type Kept } from './results.ts';

/** The part that is written. */
const part = /Measured on [\s\S]*?(?=\nStorage grows by)/;
/** Of a core, so that a burst does not become a queue. */
const plannedShare = 0.67;

/** In use by other work: beside more of it processes wait for each other, and a message costs up to three times as much. */
const mostOtherCores = 0.3;

/** The page with the figures of these results; the page itself while the rows that it needs are not measured undisturbed. */
export function scalingPage(page: string, kept: Kept): string {
  const rowsOf = (kind: string) =>
    [1, 100].flatMap(
      (recipients) => kept.rows.find(({ name }) => name === `end-to-end-${recipients}-${kind}`) ?? [],
    );
  const all = [rowsOf('postgres-split'), rowsOf('postgres'), rowsOf('embedded')];
  const [first] = all.flat();
  if (all.flat().some((row) => meanOf(row.all).otherCores > mostOtherCores)) return page;
  if (first === undefined || all.some(({ length }) => length !== 2)) return page;
  const [split = [], single = [], embedded = []] = all.map((rows) => rows.map((row) => meanOf(row.all)));
  const { day, commit } = all
    .flat()
    .reduce((oldest, { run }) => (run.day < oldest.day ? run : oldest), first.run);
  return page.replace(part, sectionOf({ measured: `${day}, commit ${commit}`, split, single, embedded }));
}

/** Each with one recipient per request, and with 100. */
interface Costs {
  measured: string;
  split: readonly Figures[];
  single: readonly Figures[];
  embedded: readonly Figures[];
}

function sectionOf({ measured, split, single, embedded }: Costs): string {
  const [one, hundred] = split;
  const row = (name: string, figures: Figures | undefined) => {
    const cells = ['serve', 'work', 'database'].map((process) => Math.round(figures?.cpu[process] ?? 0));
    return `| ${name} | ${[...cells, cells.reduce((sum, cell) => sum + cell, 0)].join(' | ')} |`;
  };
  const together = (figures: readonly Figures[]) =>
    figures.map((figure) => Math.round(cpuOf(figure).perMessage)).join(' and ');
  const perCore = (micros: number | undefined) => about((plannedShare * 1_000_000) / (micros ?? 1));
  const cores = 16;
  const withCores = (figures: Figures | undefined) =>
    about((cores * plannedShare * 1_000_000) / (figures === undefined ? 1 : cpuOf(figures).perMessage));
  const work = single[0]?.work;
  return `Measured on ${measured}:

| CPU per message, µs | API process | worker process | PostgreSQL | together |
|---|---|---|---|---|
${row('one recipient per request', one)}
${row('100 recipients per request', hundred)}

In the same run, a single \`start\` process took ${together(single)} µs including PostgreSQL, and ${together(embedded)} µs with the
embedded database.

In PostgreSQL, one message with its request, report and receipt is ${work?.statements?.toFixed(2)} statements, ${work?.rows.inserted.toFixed(1)} inserted and ${work?.rows.updated.toFixed(1)}
updated rows, about ${work?.log?.indexEntries.toFixed(0)} index entries and ${((work?.log?.octets ?? 0) / 1_000).toFixed(1)} KB of WAL. \`npm run bench -- cost-1\` measures these alone; with
\`--beside DIRECTORY\` it does so for another checkout in turn.

If PostgreSQL runs on the same machine, connect through its Unix socket:
\`DATABASE_URL='postgres://tarishi@localhost/tarishi?host=/var/run/postgresql'\`. In one comparison this took 8 to 15 % less
CPU per message than TCP.

One core has 1,000,000 µs per second. Plan with two thirds of it, so that a burst does not become a queue:

> messages per second = cores × 670,000 / µs per message

With one recipient per request, one core carries about ${perCore(one?.cpu.serve)} messages per second as the API, ${perCore(one?.cpu.work)} as a worker
and ${perCore(one?.cpu.database)} in PostgreSQL. A Node process uses one core, and a little of a second one for garbage collection.

By the same formula, ${cores} cores for all processes and PostgreSQL together carry about ${withCores(one)} messages per second with one
recipient per request and ${withCores(hundred)} with 100. That is an extrapolation: everything here was measured on two cores.
`;
}

/** Two digits. */
function about(value: number): string {
  const scale = 10 ** (Math.floor(Math.log10(value)) - 1);
  return (Math.round(value / scale) * scale).toLocaleString('en');
}
