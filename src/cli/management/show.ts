/** Shows the answers of operations: columns for people; programs get the JSON of the management API. */

import type { Json } from '../../contract/document.ts';
import type { Schema } from '../../contract/types.ts';
import type { Column, CommandWords } from '../../contract/words.ts';
import {
  changedNames,
  changes,
  namedColumns,
  type Shown,
  scalarsOf,
  valueAt,
} from '../../http/management/columns.ts';
import { reasonOf, wordsOf } from '../../model/words/states.ts';
import { type ToldMessage, type ToldStep, wordsOfStep } from '../../model/words/steps.ts';
import { own } from '../../platform/text/own.ts';
import type { Answer, Cell } from '../line/answer.ts';

/** `items`: those of all pages, if the answer is a list. */
export function answerOf(
  { rows, columns, note, tells }: CommandWords,
  schema: Schema,
  body: unknown,
  items: readonly unknown[] | undefined,
): Answer {
  const shown = (items ?? [body]) as Shown[];
  const notes = [
    ...(tells === undefined ? [] : shown.map((one) => verdictOf(one as unknown as ToldMessage))),
    ...(note === undefined ? [] : [note]),
    ...shown.flatMap((one) => warningsIn(one).map((warning) => `warning: ${warning}`)),
  ];
  const of = items === undefined ? schema : (schema.properties?.items?.items ?? {});
  const cellsOf = (one: Shown) => cells(columns ?? of['x-columns'] ?? scalarsOf(of), one);
  const beside = { json: items ?? body ?? null, ...(notes.length > 0 ? { note: notes.join('\n') } : {}) };
  if (rows !== undefined)
    return {
      list: shown.flatMap((one) => entriesOf(tells === undefined ? one : inWords(one), rows)).map(cellsOf),
      ...beside,
    };
  const [first] = shown;
  return items === undefined && first !== undefined
    ? { one: cellsOf(first), ...beside }
    : { list: shown.map(cellsOf), ...beside };
}

/** A message whose steps say in words what happened. */
function inWords(one: Shown): Shown {
  const message = one as unknown as ToldMessage & { timeline: ToldStep[] };
  const steps = message.timeline.map((step) => ({ ...step, ...wordsOfStep(step, message) }));
  return { ...one, timeline: steps as unknown as Json };
}

/** What became of a message, and what to do. */
function verdictOf(message: ToldMessage & { phone?: string; requestId?: string }): string {
  const { heading, sentence, next } = wordsOf(message);
  const { said } = reasonOf(message);
  const parts = [
    `${heading}.`,
    sentence,
    said === undefined ? '' : `Why: ${said}.`,
    next === undefined ? '' : `Next: ${next}`,
  ];
  return `${message.phone ?? message.requestId}: ${parts.filter(Boolean).join(' ')}`;
}

/** The resource once for each of its entries; of an object the entries are its properties. */
function entriesOf(one: Shown, rows: string): Shown[] {
  const entries = own(one, rows) ?? [];
  const list = Array.isArray(entries)
    ? entries
    : Object.entries(entries).map(([name, value]) => ({ name, value }));
  return list.map((entry) => ({ ...one, [rows]: entry }));
}

function warningsIn(one: Shown): string[] {
  const { name, warnings } = one ?? {};
  if (!Array.isArray(warnings)) return [];
  return warnings.map((warning) => (typeof name === 'string' ? `${name} ${warning}` : String(warning)));
}

function cells(columns: readonly Column[], one: Shown): Record<string, Cell> {
  return Object.fromEntries(
    namedColumns(columns).map(([name, path]) => [
      name,
      path === changes ? changesIn(one) : cellOf(valueAt(one, path)),
    ]),
  );
}

function cellOf(value: Json | undefined): Cell {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(textOf);
  return typeof value === 'object' ? pairsOf(value) : value;
}

const pairsOf = (value: Shown) => Object.entries(value).map(([name, inner]) => `${name}=${textOf(inner)}`);
const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));

function changesIn(entry: Shown): string[] {
  const after = (entry.after ?? {}) as Shown;
  return pairsOf(Object.fromEntries(changedNames(entry).map((name) => [name, own(after, name) ?? null])));
}
