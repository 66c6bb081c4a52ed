/** Reports results: one line for people as each comes, and JUnit XML for CI. */
import { own } from '../../platform/text/own.ts';
import type { Result, Situation } from './verdict.ts';

/** What is tested: a client, a receiver of receipts or one of messages that people send. */
export type Suite = 'client' | 'receiver' | 'inbound';

const guides = new URL('../../../docs/guides/', import.meta.url);

/** The page that says what to do. */
export function linkOf({ guide }: Pick<Situation, 'guide'>): string {
  return new URL(guide, guides).href;
}

const nameColumns = 18;
const margin = ' '.repeat(9);
const callsTitle = 'Its calls: time, operation, Idempotency-Key, status';

/** A row of the table, and the findings below it. */
export function rowOf(result: Result): string {
  const { name, title, findings, unknown, calls = [] } = result;
  const mark = findings.length > 0 ? 'FAILED' : unknown === undefined ? 'passed' : 'unknown';
  const below = [
    ...findings,
    ...(unknown === undefined ? [] : [unknown]),
    ...(findings.length > 0 ? [`See ${linkOf(result)}`] : []),
    ...(calls.length > 0 ? [callsTitle, ...calls] : []),
  ];
  return [
    `${mark.padEnd(margin.length)}${name.padEnd(nameColumns)}${title}`,
    ...below.map((line) => margin + line),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

/** One test case for each situation. */
export function junitOf(suite: Suite, results: readonly Result[]): string {
  const failures = results.filter(({ findings }) => findings.length > 0).length;
  const skipped = results.filter(isUnknown).length;
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0).toFixed(3);
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="tarishi conform ${suite}" tests="${results.length}" failures="${failures}" skipped="${skipped}" time="${seconds}">
${results.map((result) => caseOf(suite, result)).join('\n')}
  </testsuite>
</testsuites>
`;
}

const isUnknown = ({ findings, unknown }: Result) => findings.length === 0 && unknown !== undefined;

function caseOf(suite: string, result: Result): string {
  const { name, title, seconds, findings, unknown, calls = [] } = result;
  const open = `    <testcase classname="${suite}" name="${escaped(name)}" time="${seconds.toFixed(3)}"`;
  if (findings.length > 0)
    return `${open}>
      <failure message="${escaped(findings.join(' '))}">${escaped([title, `See ${linkOf(result)}`, ...calls].join('\n'))}</failure>
    </testcase>`;
  return isUnknown(result)
    ? `${open}>
      <skipped message="${escaped(unknown ?? '')}"/>
    </testcase>`
    : `${open}/>`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => own(entities, character) ?? '');
}
