/** Compares the published answers of the public and the management document with those that a test run has shown. */
import { existsSync, readFileSync } from 'node:fs';
import { answerExamples } from '../../../spec/document.ts';
import { managementLines } from '../management/document.ts';
import { lineOf } from './exercised.ts';

const shownFile = process.env.CONTRACT_COVERAGE ?? 'coverage/contract.txt';
const listFile = new URL('unexercised.txt', import.meta.url);

const shown = new Set(linesOf(shownFile));
const listed = linesOf(listFile).filter((line) => !line.startsWith('#'));
const published = [...answerExamples().map(lineOf), ...managementLines];
const missing = published.filter((line) => !shown.has(line));

const faults = [
  ...missing.filter((line) => !listed.includes(line)).map((line) => `no test shows    ${line}`),
  ...listed.filter((line) => !published.includes(line)).map((line) => `listed, but gone ${line}`),
];
process.stdout.write(
  `${published.length - missing.length} of ${published.length} published answers (operation, status, example) shown\n`,
);
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;

function linesOf(file: string | URL): string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
