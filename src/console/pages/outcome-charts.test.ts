/** What charts of outcomes draw: hours of the reader's zone, days or weeks of UTC, each beside the same of the weeks before. */
import { expect, test } from '@jest/globals';
import { createTimes } from '../layout/times.ts';
import { bucketsOf, deliveredPercent, percentWords, unitOf } from './outcome-charts.ts';

const hourMs = 3_600_000;
const fromMs = Date.parse('2026-11-20T00:00:00Z');
const weekMs = 168 * hourMs;
const item = (atMs: number, delivered: number, failed: number) => ({
  key: new Date(atMs).toISOString(),
  accepted: delivered + failed + 1,
  delivered,
  failed,
  open: 1,
});

const drawn = (hours: number) => ({
  unit: unitOf(hours * hourMs),
  now: [item(fromMs, 90, 10), item(fromMs + 24 * hourMs, 10, 0)],
  before: [item(fromMs - weekMs, 1, 1)],
  shiftMs: weekMs,
  fromMs,
  toMs: fromMs + hours * hourMs,
  nowMs: fromMs + 30.5 * hourMs,
});

test('up to three days each hour stands alone, and the one that runs is open', () => {
  const buckets = bucketsOf(drawn(31), createTimes('Africa/Nairobi'));
  expect(buckets).toHaveLength(31);
  expect(buckets[0]).toMatchObject({ label: '11-20 03:00', isOpen: false, before: { accepted: 3 } });
  expect(buckets.map(({ isOpen }) => isOpen).indexOf(true)).toBe(30);
});

test('longer times have days of UTC, then weeks from Monday on', () => {
  const days = bucketsOf(drawn(168), createTimes('Africa/Nairobi'));
  expect(days.map(({ label, now }) => [label, now.delivered]).slice(0, 2)).toEqual([
    ['2026-11-20', 90],
    ['2026-11-21', 10],
  ]);
  const weeks = bucketsOf(drawn(80 * 24), createTimes('UTC'));
  expect(weeks[0]).toMatchObject({ label: 'week of 2026-11-16', now: { delivered: 100, failed: 10 } });
});

test('per cent are of messages whose end is known', () => {
  expect(
    [deliveredPercent({ delivered: 2, failed: 1 }), deliveredPercent({ delivered: 0, failed: 0 })].map(
      percentWords,
    ),
  ).toEqual(['66.7 %', '–']);
});
