/** What a command answers, as a table for people and as JSON for programs. */

export type Cell = string | number | boolean | null | readonly string[];

/** Keys are in camel case: JSON keeps them, people read `client id` for `clientId`. */
export type Answer =
  | { list: readonly Record<string, Cell>[] }
  /** `note` is for people only. */
  | { one: Record<string, Cell>; note?: string };

export function renderJson(answer: Answer): string {
  return `${JSON.stringify('list' in answer ? answer.list : answer.one, null, 2)}\n`;
}

export function renderText(answer: Answer): string {
  if ('one' in answer) {
    const lines = Object.entries(answer.one).map(([key, cell]) => [titleOf(key), textOf(cell)]);
    return `${aligned(lines)}\n${answer.note === undefined ? '' : `\n${answer.note}\n`}`;
  }
  const [first] = answer.list;
  if (first === undefined) return 'none\n';
  const keys = Object.keys(first);
  return `${aligned([
    keys.map((key) => titleOf(key).toUpperCase()),
    ...answer.list.map((row) => keys.map((key) => textOf(row[key] ?? null))),
  ])}\n`;
}

/** Columns as wide as their widest cell, in characters. */
export function aligned(lines: readonly (readonly string[])[]): string {
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
  // What is stored must not be able to drive the terminal.
  return text.replace(/\p{Cc}/gu, '\uFFFD');
}
