/** Formats the output of a command: a table for people, JSON for programs. */

import { own } from '../../platform/text/own.ts';

export type Cell = string | number | boolean | null | readonly string[];

/** Keys are in camel case: JSON keeps them, people read `client id` for `clientId`. */
export type Answer = ({ list: readonly Record<string, Cell>[] } | { one: Record<string, Cell> }) & {
  /** For programs, if they get more than people. */
  json?: unknown;
  /** For people only. */
  note?: string;
  /** Of the process; 0 by default. */
  exitCode?: number;
};

/** A document that is written as it is, part by part: it may be longer than the memory. */
export interface Streamed {
  parts: AsyncIterable<string>;
}

export function renderJson(answer: Answer): string {
  const plain = 'list' in answer ? answer.list : answer.one;
  const json = JSON.stringify(answer.json === undefined ? plain : answer.json, null, 2);
  return `${json.replace(hiddenInJson, escaped)}\n`;
}

/**
 * Stored values must not control the terminal or hide parts of themselves: control characters, those that change
 * the direction of text, and Unicode's own line breaks.
 */
const hidden = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
/** The same, but for those that JSON escapes itself, and its line breaks. */
const hiddenInJson = /[\x7f-\x9f\p{Bidi_Control}\u2028\u2029]/gu;

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A message that may contain stored text, in one or more lines. */
export function visible(text: string): string {
  return text.replace(hidden, (character) => (character === '\n' ? character : '\uFFFD'));
}

/** A part of a document of JSON, which means the same, or of CSV: its line breaks and tabs stay. */
export function visibleStream(part: string): string {
  return part
    .replace(hiddenInJson, escaped)
    .replace(/\r\n|\p{Cc}/gu, (found) => ('\r\n\t'.includes(found) && found !== '\r' ? found : '\uFFFD'));
}

export function renderText(answer: Answer): string {
  const note = answer.note === undefined ? '' : `\n${answer.note}\n`;
  return `${'one' in answer ? lines(answer.one) : table(answer.list)}\n${note}`;
}

function lines(one: Record<string, Cell>): string {
  return aligned(Object.entries(one).map(([key, cell]) => [titleOf(key), textOf(cell)]));
}

function table(list: readonly Record<string, Cell>[]): string {
  const [first] = list;
  if (first === undefined) return 'none';
  const keys = Object.keys(first);
  return aligned([
    keys.map((key) => titleOf(key).toUpperCase()),
    ...list.map((row) => keys.map((key) => textOf(own(row, key) ?? null))),
  ]);
}

/** Columns as wide as their widest cell, in characters. */
function aligned(lines: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const line of lines)
    for (const [column, text] of line.entries())
      widths[column] = Math.max(widths[column] ?? 0, [...text].length);
  return lines
    .map((line) =>
      line
        .map((text, column) => text + ' '.repeat((widths[column] ?? 0) - [...text].length))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function titleOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textOf(cell: Cell): string {
  if (cell === null) return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  const text = typeof cell === 'object' ? cell.join(' ') || '-' : String(cell);
  return text.replace(hidden, '\uFFFD');
}
