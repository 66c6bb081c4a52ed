/** Keeps what earlier runs measured, so that a run of some rows leaves the results of the others unchanged. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Finding, type Kept, type Measured, type Run, report, shortened } from './results.ts';
import { scalingPage } from './scaling.ts';

const statementsKept = 10;
const results = new URL('results.json', import.meta.url);

/** What a run measured takes the place of what earlier ones did. `names`: all rows and studies that there are. */
export function merged(
  kept: Kept,
  run: Run,
  measured: readonly Measured[],
  findings: readonly Finding[],
  names: readonly string[],
): Kept {
  const latest = <One extends { name: string }>(ones: readonly One[]): One[] =>
    names.flatMap((name) => ones.findLast((one) => one.name === name) ?? []);
  return {
    rows: latest([...kept.rows, ...measured.map((one) => ({ ...withoutRest(one), run }))]),
    findings: latest([...kept.findings, ...findings.map((one) => ({ ...one, run }))]),
  };
}

/** Of its statements, those that are shown. */
function withoutRest(one: Measured): Measured {
  const all = one.all.map((figures) => {
    const { work } = figures;
    if (work?.profile === undefined) return figures;
    const profile = work.profile
      .slice(0, statementsKept)
      .map((statement) => ({ ...statement, query: shortened(statement.query) }));
    return { ...figures, work: { ...work, profile } };
  });
  return { ...one, all };
}

export function keepResults(
  run: Run,
  measured: readonly Measured[],
  findings: readonly Finding[],
  names: readonly string[],
): void {
  const kept: Kept = existsSync(results)
    ? JSON.parse(readFileSync(results, 'utf8'))
    : { rows: [], findings: [] };
  const now = merged(kept, run, measured, findings, names);
  writeFileSync(results, `${JSON.stringify(now, null, 1)}\n`);
  writeFileSync(new URL('RESULTS.md', import.meta.url), report(now, names));
  const page = new URL('../../docs/scaling.md', import.meta.url);
  writeFileSync(page, scalingPage(readFileSync(page, 'utf8'), now));
}
