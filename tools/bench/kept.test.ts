/** A run of some rows leaves the results of the others unchanged. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { Figures } from './flow.ts';
import { merged } from './kept.ts';
import { type Kept, type Run, report } from './results.ts';
import { scalingPage } from './scaling.ts';

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
  all: [figures(messagesPerSecond), figures(messagesPerSecond + 2)],
  against: [],
});
const runOn = (day: string): Run => ({
  day,
  commit: day.replaceAll('-', ''),
  machine: ['2 processors'],
  secondsPerRow: 5,
  rounds: 2,
});
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
  const text = report(merged(before, second, [row('a', 10)], [], names), [...names, 'c']);
  const shown = text.split('\n').filter((line) => /^(\| [ab]|- run|- \*\*growth|Not)/.test(line));
  expect(shown.map((line) => line.split(' | ').slice(0, 4).join(' | '))).toEqual([
    '- run 1: 2026-02-02, commit 20260202, 2 × 5 seconds per row, in turn, each after a warm-up of 8 seconds',
    '- run 2: 2026-01-01, commit 20260101, 2 × 5 seconds per row, in turn, each after a warm-up of 8 seconds',
    'Not measured: c.',
    '| a | 1 | **500**, 500 to 500<br>start 500 | 11, 10 to 12',
    '| b | 2 | **500**, 500 to 500<br>start 500 | 21, 20 to 22',
    '- **growth** (run 2): 10 M stored: 1.00',
  ]);
});

test('docs/scaling.md has the figures of the results, once all that it needs are measured undisturbed', () => {
  const kept: Kept = JSON.parse(readFileSync(new URL('results.json', import.meta.url), 'utf8'));
  const page = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');
  expect(scalingPage(page, kept)).toBe(page);
  const needed = ['postgres-split', 'postgres', 'embedded'].flatMap((kind) => [
    `end-to-end-1-${kind}`,
    `end-to-end-100-${kind}`,
  ]);
  const cpu = { serve: 100, work: 200, database: 300 };
  const rows = needed.map((name, place) => ({
    ...row(name, 10),
    all: [{ ...figures(10), cpu }],
    run: place === 0 ? first : second,
  }));
  expect(scalingPage(page, { rows: rows.slice(1), findings: [] })).toBe(page);
  const disturbed = rows.map((one) => ({ ...one, all: one.all.map((all) => ({ ...all, otherCores: 1 })) }));
  expect(scalingPage(page, { rows: disturbed, findings: [] })).toBe(page);
  const written = scalingPage(page, { rows, findings: [] });
  expect(written).toContain('Measured on 2026-01-01, commit 20260101:');
  expect(written).toContain('| one recipient per request | 100 | 200 | 300 | 600 |');
});
