/** Shows the answers of operations: columns for people; programs get the JSON of the management API. */
import { own } from '../../platform/text/own.ts';
import type { Answer, Cell } from '../line/answer.ts';
import type { Column, CommandWords, Schema } from './document.ts';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Shown = { [name: string]: Json };

/** `items`: those of all pages, if the answer is a list. */
export function answerOf(
  { rows, columns, note }: CommandWords,
  schema: Schema,
  body: unknown,
  items: readonly unknown[] | undefined,
): Answer {
  const shown = (items ?? [body]) as Shown[];
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...shown.flatMap((one) => warningsIn(one).map((warning) => `warning: ${warning}`)),
  ];
  const of = items === undefined ? schema : (schema.properties?.items?.items ?? {});
  const cellsOf = (one: Shown) => cells(columns ?? of['x-columns'] ?? scalarsOf(of), one);
  const beside = { json: items ?? body ?? null, ...(notes.length > 0 ? { note: notes.join('\n') } : {}) };
  if (rows !== undefined)
    return { list: shown.flatMap((one) => entriesOf(one, rows)).map(cellsOf), ...beside };
  const [first] = shown;
  return items === undefined && first !== undefined
    ? { one: cellsOf(first), ...beside }
    : { list: shown.map(cellsOf), ...beside };
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

function scalarsOf({ properties = {} }: Schema): string[] {
  return Object.entries(properties).flatMap(([name, { type, enum: values, anyOf }]: [string, Shape]) =>
    values !== undefined ||
    anyOf !== undefined ||
    ['string', 'integer', 'number', 'boolean'].includes(type as string)
      ? [name]
      : [],
  );
}

type Shape = Schema & { anyOf?: unknown };

function cells(columns: readonly Column[], one: Shown): Record<string, Cell> {
  const titled = columns.flatMap((column) =>
    typeof column === 'string' ? [[titleOf(column), column] as const] : Object.entries(column),
  );
  return Object.fromEntries(titled.map(([title, path]) => [title, cellOf(valueAt(one, path))]));
}

/** `teamId` is a team to people. */
const titleOf = (name: string) => name.replace(/(?<=.)Id$/, '');

function valueAt(one: Shown, path: string): Json | undefined {
  if (path === changes) return changesIn(one);
  return path.split('.').reduce<Json | undefined>((inner, step) => {
    if (Array.isArray(inner)) return step === 'length' ? inner.length : undefined;
    return inner !== null && typeof inner === 'object' ? own(inner, step) : undefined;
  }, one);
}

function cellOf(value: Json | undefined): Cell {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map(textOf);
  return typeof value === 'object' ? pairsOf(value) : value;
}

const pairsOf = (value: Shown) => Object.entries(value).map(([name, inner]) => `${name}=${textOf(inner)}`);
const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));

/** What differs between the properties `before` and `after` of an audit entry. */
const changes = 'before..after';

function changesIn({ before, after }: Shown): string[] {
  const [old, fresh] = [before ?? {}, after ?? {}] as [Shown, Shown];
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].sort();
  return pairsOf(
    Object.fromEntries(
      names
        .map((name): [string, Json] => [name, own(fresh, name) ?? null])
        .filter(([name, value]) => JSON.stringify(own(old, name) ?? null) !== JSON.stringify(value)),
    ),
  );
}
