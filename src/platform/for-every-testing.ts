/** One promise about many things as one test, which names all that break it. */
import { format } from 'node:util';
import { expect, test } from '@jest/globals';

/**
 * Checks every row, one after the other; a row that is a list is spread. Fails once, with the title and the fault of each row
 * that does. The title is as in `test.each`: `%s` for the parts of a list, `$name` for a property. No rows are a fault too.
 */
export function forEvery<Row extends unknown[] | [unknown]>(
  rows: readonly Row[],
  title: string,
  check: (...row: Row) => unknown,
): Promise<void>;
export function forEvery<Row>(
  rows: readonly Row[],
  title: string,
  check: (row: Row) => unknown,
): Promise<void>;
export async function forEvery(
  rows: readonly unknown[],
  title: string,
  check: (...row: unknown[]) => unknown,
): Promise<void> {
  const wrong: string[] = [];
  for (const row of rows)
    try {
      await check(...(Array.isArray(row) ? row : [row]));
    } catch (fault) {
      wrong.push(`${titled(title, row)}: ${fault instanceof Error ? fault.message : String(fault)}`);
    }
  if (wrong.length > 0)
    throw new Error(`${wrong.length} of ${rows.length} do not hold:\n\n${wrong.join('\n\n')}`);
  expect(rows.length).toBeGreaterThan(0);
}

/** `test.each` for a table that is one promise: one test, whose name has … where the titles of its rows differ. */
export function testEvery<Row extends unknown[] | [unknown]>(
  rows: readonly Row[],
): (title: string, check: (...row: Row) => unknown, timeoutMs?: number) => void;
export function testEvery<Row>(
  rows: readonly Row[],
): (title: string, check: (row: Row) => unknown, timeoutMs?: number) => void;
export function testEvery(rows: readonly unknown[]) {
  return (title: string, check: (...row: unknown[]) => unknown, timeoutMs?: number): void => {
    const name = title.replaceAll(/%[sijdfop]|\$\w+/g, '…');
    test(/\w/.test(name) ? name : 'each', () => forEvery(rows as unknown[][], title, check), timeoutMs);
  };
}

function titled(title: string, row: unknown): string {
  if (Array.isArray(row)) {
    const places = title.match(/%[sijdfop]/g)?.length ?? 0;
    return format(title.replaceAll('%p', '%j'), ...row.slice(0, places));
  }
  if (typeof row !== 'object' || row === null) return format(title.replaceAll('%p', '%j'), row);
  return title.replace(/\$(\w+)/g, (written, name: string) =>
    name in row ? String((row as Record<string, unknown>)[name]) : written,
  );
}
