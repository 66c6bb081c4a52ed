/** Writes the calls of a client as lines, so that its developer sees what a finding is about. */
import { gapMs, keyOf, type RecordedCall } from './exchange.ts';

const mostLines = 40;

/** Seconds since the first call, operation, Idempotency-Key, status and fault of each call. */
export function linesOf(calls: readonly RecordedCall[]): string[] {
  const [first] = calls;
  if (first === undefined) return [];
  const rows = calls
    .slice(0, mostLines)
    .map((call) => [
      `${(gapMs(first, call) / 1_000).toFixed(3)} s`.padStart(11),
      call.operation ?? `${call.method} ${call.path}`,
      keyOf(call) ?? '-',
      `${call.status ?? 'no response'}${call.fault === undefined ? '' : ` (${call.fault})`}`,
    ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  const left = calls.length - rows.length;
  return left === 0 ? lines : [...lines, `… and ${left} more`];
}
