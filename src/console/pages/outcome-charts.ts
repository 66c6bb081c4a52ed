/** Draws what became of messages over hours, days or weeks: delivered per cent beside the weeks before, and how many there were. */
import type { components } from '../../../generated/management.d.ts';
import { type Html, html } from '../../docs/render/html.ts';
import { type Axes, axesOf, figure, keyOf, percentFrom, scaleTo } from '../layout/chart.ts';
import { table } from '../layout/parts.ts';
import type { ZonedTimes } from '../layout/times.ts';

type Outcomes = components['schemas']['Outcomes'];

export interface Drawn {
  /** By `unit`. */
  now: readonly Outcomes[];
  /** The same hours or days, `shiftMs` earlier. */
  before: readonly Outcomes[];
  shiftMs: number;
  fromMs: number;
  toMs: number;
  /** What is accepted after this is not over. */
  nowMs: number;
  unit: Unit;
}

/** What is counted together: days are those of UTC. */
export type Unit = 'hour' | 'day';

/** Few enough to see each. */
export const unitOf = (lengthMs: number): Unit => (lengthMs > 3 * dayMs ? 'day' : 'hour');

/** One hour, day or week. */
interface Bucket {
  label: string;
  isOpen: boolean;
  now: Counts;
  before: Counts;
}

type Counts = Pick<Outcomes, 'accepted' | 'delivered' | 'failed' | 'open'>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const nothing: Counts = { accepted: 0, delivered: 0, failed: 0, open: 0 };

/** Of those whose end is known; undefined: of none. */
export function deliveredPercent({ delivered, failed }: Pick<Counts, 'delivered' | 'failed'>) {
  return delivered + failed === 0 ? undefined : (100 * delivered) / (delivered + failed);
}

export const percentWords = (percent: number | undefined): string =>
  percent === undefined ? '–' : `${percent.toLocaleString('en', { maximumFractionDigits: 1 })} %`;

export function bucketsOf(
  { now, before, shiftMs, fromMs, toMs, nowMs, unit }: Drawn,
  times: ZonedTimes,
): Bucket[] {
  const labelOf = labelFor(unit, toMs - fromMs, times);
  const buckets = new Map<string, Bucket>();
  const [current, earlier] = [byTime(now), byTime(before)];
  const stepMs = unit === 'day' ? dayMs : hourMs;
  for (let at = Math.floor(fromMs / stepMs) * stepMs; at < toMs; at += stepMs) {
    const label = labelOf(at);
    const bucket = buckets.get(label) ?? { label, isOpen: false, now: nothing, before: nothing };
    bucket.now = sumOf(bucket.now, current.get(at));
    bucket.before = sumOf(bucket.before, earlier.get(at - shiftMs));
    bucket.isOpen ||= at <= nowMs && nowMs < at + stepMs;
    buckets.set(label, bucket);
  }
  return [...buckets.values()];
}

const byTime = (items: readonly Outcomes[]) => new Map(items.map((one) => [Date.parse(one.key ?? ''), one]));

const sumOf = (one: Counts, other: Counts = nothing): Counts => ({
  accepted: one.accepted + other.accepted,
  delivered: one.delivered + other.delivered,
  failed: one.failed + other.failed,
  open: one.open + other.open,
});

function labelFor(unit: Unit, lengthMs: number, times: ZonedTimes): (atMs: number) => string {
  const written = (atMs: number) => new Date(atMs).toISOString();
  if (unit === 'hour') return (atMs) => times.local(written(atMs)).slice(5, 16).replace('T', ' ');
  if (lengthMs <= 62 * dayMs) return (atMs) => written(atMs).slice(0, 10);
  return (atMs) => {
    const sinceMonday = (new Date(atMs).getUTCDay() + 6) % 7;
    return `week of ${written(atMs - sinceMonday * dayMs).slice(0, 10)}`;
  };
}

export function outcomeCharts(drawn: Drawn, times: ZonedTimes): Html {
  const buckets = bucketsOf(drawn, times);
  const weeks = Math.round(drawn.shiftMs / (7 * dayMs));
  const before = weeks === 1 ? 'the week before' : `${weeks} weeks before`;
  return html`<div class="charts">${percentChart(buckets, before)}${countChart(buckets)}</div>
<details><summary>Numbers</summary>${table({
    caption: 'What became of messages over time',
    columns: [
      { name: 'From' },
      ...['Accepted', 'Delivered', 'Failed', 'Open', 'Delivered, %', `Delivered, %, ${before}`].map(
        (name) => ({
          name,
          isNumber: true,
        }),
      ),
    ],
    rows: buckets.map(({ label, isOpen, now, before }) => [
      isOpen ? `${label}, not over` : label,
      ...[now.accepted, now.delivered, now.failed, now.open].map((count) => count.toLocaleString('en')),
      percentWords(deliveredPercent(now)),
      percentWords(deliveredPercent(before)),
    ]),
    empty: 'No message was accepted in this time.',
  })}</details>`;
}

function percentChart(buckets: readonly Bucket[], before: string): Html {
  const now = buckets.map((one) => deliveredPercent(one.now));
  const earlier = buckets.map((one) => deliveredPercent(one.before));
  const known = [...now, ...earlier].filter((one) => one !== undefined);
  const { grid, line, ...axes } = axesOf({
    places: buckets.length,
    from: percentFrom(Math.min(100, ...known)),
    to: 100,
    words: (value) => `${value} %`,
  });
  const [all, then] = [totalOf(buckets, 'now'), totalOf(buckets, 'before')]
    .map(deliveredPercent)
    .map(percentWords);
  const open = buckets.findIndex(({ isOpen }) => isOpen);
  const over = now.map((one, place) => (open >= 0 && place >= open ? undefined : one));
  const running = now.map((one, place) => (open >= 0 && place >= open - 1 ? one : undefined));
  return figure({
    heading: 'Delivered',
    now: `${all} · ${before}: ${then}`,
    words: `Delivered: ${all} of the messages whose end is known, ${before} ${then}. The table has the numbers.`,
    height,
    drawing: html`${grid}<path class="before" d="${line(earlier)}"/><path class="rate" d="${line(over)}"/><path class="rate running" d="${line(running)}"/>${ends(buckets, axes)}`,
    more: keyOf([
      ['line', 'rate', 'This time; dashed: not over'],
      ['line', 'before', before.replace(/^t/, 'T')],
    ]),
  });
}

function countChart(buckets: readonly Bucket[]): Html {
  const { grid, bar, ...axes } = axesOf({
    places: buckets.length,
    to: scaleTo(Math.max(...buckets.map(({ now }) => now.accepted))),
  });
  const { accepted, delivered, failed, open } = totalOf(buckets, 'now');
  const bars = buckets.map(({ now }, place) => {
    const known = now.failed + now.delivered;
    return [
      bar('failed', place, 0, now.failed),
      bar('delivered', place, now.failed, known),
      bar('open', place, known, known + now.open),
    ];
  });
  return figure({
    heading: 'Messages',
    now: `${accepted.toLocaleString('en')} accepted · ${failed.toLocaleString('en')} failed · ${open.toLocaleString('en')} open`,
    words: `Messages: ${accepted} accepted, ${delivered} delivered, ${failed} failed, ${open} open. The table has the numbers.`,
    height,
    drawing: html`${grid}${bars}${ends(buckets, axes)}`,
    more: keyOf([
      ['bar', 'open', 'Open: on top'],
      ['bar', 'delivered', 'Delivered'],
      ['bar', 'failed', 'Failed: at the bottom'],
    ]),
  });
}

const height = 140;

const ends = (buckets: readonly Bucket[], { below }: Pick<Axes, 'below'>): Html =>
  html`${below(0, 134, buckets[0]?.label, 'start')}${below(buckets.length - 1, 134, buckets.at(-1)?.label, 'end')}`;

const totalOf = (buckets: readonly Bucket[], side: 'now' | 'before'): Counts =>
  buckets.reduce((all, one) => sumOf(all, one[side]), nothing);
