/** Which published responses the tests have shown: operation, status and example. */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type AnswerExample, answerExamples, type DocumentedOperation } from '../../../spec/document.ts';
import { sentenceOf } from './sentences.ts';

/** Where each test process adds what it showed, one line each; nowhere when not set. */
const file = process.env.CONTRACT_COVERAGE;
const noted = new Set<string>();
const examples = Map.groupBy(
  answerExamples(),
  ({ operation, status }) => `${operation.operationId} ${status}`,
);

/** One line of the coverage: `operation status example`. */
export function lineOf({ operation, status, name }: AnswerExample): string {
  return `${operation.operationId} ${status} ${name}`;
}

/** Records which examples a response is an instance of. */
export function record(operation: DocumentedOperation, status: string, body: unknown): void {
  if (file === undefined) return;
  for (const example of examples.get(`${operation.operationId} ${status}`) ?? [])
    if (isInstance(body, example.value)) note(lineOf(example));
}

/** Notes a line of the coverage. */
export function note(line: string): void {
  if (file === undefined || noted.has(line)) return;
  noted.add(line);
  mkdirSync(dirname(file), { recursive: true });
  appendFileSync(file, `${line}\n`);
}

/** Whether a response says the same as the example, with other numbers, ids and names. */
export function isInstance(body: unknown, example: unknown): boolean {
  return JSON.stringify(essence(body)) === JSON.stringify(essence(example));
}

/** The response without what differs from call to call: its sentence and its fields. */
function essence(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    if (key === 'desc' || key === 'error_description') return sentenceOf(value);
    return key === 'type' || (key === 'error' && /^[a-z_]+$/.test(value)) ? value : 'text';
  }
  if (Array.isArray(value)) return distinct(value.map((item) => essence(item)));
  if (value === null || typeof value !== 'object') return typeof value;
  const fields = Object.entries(value).map(([name, inner]) => {
    // Fields are in camel case; phones, channels, bundles and categories are not.
    const isField = /^[a-z]\w*$/.test(name);
    return [isField ? name : '*', essence(inner, name)];
  });
  return distinct(fields);
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Set(values.map((value) => JSON.stringify(value)))].sort();
}
