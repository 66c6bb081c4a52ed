/** A run of some rows leaves the results of the others unchanged. */
import { expect, test } from '@jest/globals';
import type { Figures } from './flow.ts';
import { merged } from './kept.ts';
import { type Run, report } from './results.ts';

const figures = (messagesPerSecond: number): Figures => ({
  messagesPerSecond,
  requestsPerSecond: messagesPerSecond,
  p50: 1,
  p99: 2,
  cpu: { start: 500 },
  memory: { start: 300 },
  otherCores: 0,
});
const row = (name: string, messagesPerSecond: number) => ({
  name,
  about: name,
  figures: figures(messagesPerSecond),
  against: [],
});
const runOn = (day: string): Run => ({ day, machine: ['2 processors'], secondsPerRow: 5 });
const [first, second] = [runOn('2026-01-01'), runOn('2026-02-02')];

test('a row that is measured again has its new result, and the others theirs with their own run', () => {
  const names = ['a', 'b', 'growth'];
  const before = merged(
    { rows: [], findings: [] },
    first,
    [row('b', 20), row('a', 10), row('removed', 1)],
    [{ name: 'growth', lines: ['10 M stored: 1.00'] }],
    names,
  );
  const text = report(merged(before, second, [row('a', 11)], [], names));
  const shown = text.split('\n').filter((line) => /^(\| [ab]|- run|- \*\*growth)/.test(line));
  expect(shown.map((line) => line.split(' | ').slice(0, 3).join(' | '))).toEqual([
    '- run 1: 2026-02-02, 5 seconds per row after a warm-up of 3 seconds',
    '- run 2: 2026-01-01, 5 seconds per row after a warm-up of 3 seconds',
    '| a | 1 | 11',
    '| b | 2 | 20',
    '- **growth** (run 2): 10 M stored: 1.00',
  ]);
});
