/** Draws what became of messages over hours, days or weeks: delivered per cent beside the weeks before, and how many there were. */
import type { components } from '../../../generated/management.d.ts';
import { type Html, html } from '../../docs/render/html.ts';
import { table } from '../layout/parts.ts';
import { percentFrom, scaleTo } from '../layout/scale.ts';
import type { ZonedTimes } from '../layout/times.ts';

type Outcomes = components['schemas']['Outcomes'];

export interface Drawn {
  /** By hour. */
  now: readonly Outcomes[];
  /** The same hours, `shiftMs` earlier. */
  before: readonly Outcomes[];
  shiftMs: number;
  fromMs: number;
  toMs: number;
  /** What is accepted after this is not over. */
  nowMs: number;
}

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

export function bucketsOf({ now, before, shiftMs, fromMs, toMs, nowMs }: Drawn, times: ZonedTimes): Bucket[] {
  const keyOf = keyFor(toMs - fromMs, times);
  const buckets = new Map<string, Bucket>();
  const [current, earlier] = [byHour(now), byHour(before)];
  for (let hour = fromMs; hour < toMs; hour += hourMs) {
    const label = keyOf(hour);
    const bucket = buckets.get(label) ?? { label, isOpen: false, now: nothing, before: nothing };
    bucket.now = sumOf(bucket.now, current.get(hour));
    bucket.before = sumOf(bucket.before, earlier.get(hour - shiftMs));
    bucket.isOpen ||= hour <= nowMs && nowMs < hour + hourMs;
    buckets.set(label, bucket);
  }
  return [...buckets.values()];
}

const byHour = (items: readonly Outcomes[]) => new Map(items.map((one) => [Date.parse(one.key ?? ''), one]));

const sumOf = (one: Counts, other: Counts = nothing): Counts => ({
  accepted: one.accepted + other.accepted,
  delivered: one.delivered + other.delivered,
  failed: one.failed + other.failed,
  open: one.open + other.open,
});

/** Few enough to see each. */
function keyFor(lengthMs: number, times: ZonedTimes): (atMs: number) => string {
  const local = (atMs: number) => times.local(new Date(atMs).toISOString());
  if (lengthMs <= 3 * dayMs) return (atMs) => local(atMs).slice(5, 16).replace('T', ' ');
  if (lengthMs <= 62 * dayMs) return (atMs) => local(atMs).slice(0, 10);
  return (atMs) => {
    const day = Date.parse(local(atMs).slice(0, 10));
    const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
    return `week of ${new Date(day - sinceMonday * dayMs).toISOString().slice(0, 10)}`;
  };
}

const left = 34;
const right = 292;
const top = 10;
const base = 118;

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
  const from = percentFrom(Math.min(100, ...known));
  const y = (percent: number) => base - ((percent - from) / (100 - from)) * (base - top);
  const all = deliveredPercent(totalOf(buckets, 'now'));
  const then = deliveredPercent(totalOf(buckets, 'before'));
  const open = buckets.findIndex(({ isOpen }) => isOpen);
  const points = (values: readonly (number | undefined)[]) => lineThrough(values, placer(buckets), y);
  const over = now.map((one, place) => (open >= 0 && place >= open ? undefined : one));
  const running = now.map((one, place) => (open >= 0 && place >= open - 1 ? one : undefined));
  return html`<figure><figcaption><h3>Delivered</h3><span class="now">${percentWords(all)} · ${before}: ${percentWords(then)}</span></figcaption><svg class="chart" viewBox="0 0 300 140" role="img" aria-label="Delivered: ${percentWords(all)} of the messages whose end is known, ${before} ${percentWords(then)}. The table has the numbers.">
${[from, (from + 100) / 2, 100].map((value) => gridLine(y(value), `${value} %`, value === from))}
<path class="before" d="${points(earlier)}"/><path class="rate" d="${points(over)}"/>${open >= 0 && html`<path class="rate running" d="${points(running)}"/>`}
${ends(buckets)}</svg><ul class="key"><li><svg viewBox="0 0 20 12" aria-hidden="true" class="chart"><path class="rate" d="M0 8L7 4L13 7L20 3"/></svg>This time; dashed: not over</li><li><svg viewBox="0 0 20 12" aria-hidden="true" class="chart"><path class="before" d="M0 8L7 4L13 7L20 3"/></svg>${before.replace(/^t/, 'T')}</li></ul></figure>`;
}

function countChart(buckets: readonly Bucket[]): Html {
  const highest = scaleTo(Math.max(...buckets.map(({ now }) => now.accepted)));
  const total = totalOf(buckets, 'now');
  const length = (count: number) => (count / highest) * (base - top);
  const x = placer(buckets);
  const width = Math.max(1, ((right - left) / buckets.length) * 0.7);
  const bar = (kind: string, place: number, above: number, count: number) =>
    count > 0 &&
    html`<rect class="${kind}" x="${(x(place) - width / 2).toFixed(1)}" y="${(base - length(above + count)).toFixed(1)}" width="${width.toFixed(1)}" height="${length(count).toFixed(1)}"/>`;
  return html`<figure><figcaption><h3>Messages</h3><span class="now">${total.accepted.toLocaleString('en')} accepted · ${total.failed.toLocaleString('en')} failed · ${total.open.toLocaleString('en')} open</span></figcaption><svg class="chart" viewBox="0 0 300 140" role="img" aria-label="Messages: ${total.accepted} accepted, ${total.delivered} delivered, ${total.failed} failed, ${total.open} open. The table has the numbers.">
${[0, highest / 2, highest].map((value) => gridLine(base - length(value), value.toLocaleString('en'), value === 0))}
${buckets.map(({ now: { delivered, failed, open } }, place) => [bar('failed', place, 0, failed), bar('delivered', place, failed, delivered), bar('open', place, failed + delivered, open)])}
${ends(buckets)}</svg><ul class="key"><li><svg viewBox="0 0 20 12" aria-hidden="true" class="chart"><rect class="open" x="4" width="12" height="12"/></svg>Open: on top</li><li><svg viewBox="0 0 20 12" aria-hidden="true" class="chart"><rect class="delivered" x="4" width="12" height="12"/></svg>Delivered</li><li><svg viewBox="0 0 20 12" aria-hidden="true" class="chart"><rect class="failed" x="4" width="12" height="12"/></svg>Failed: at the bottom</li></ul></figure>`;
}

/** The middle of each place, so that bars and points of one time stand below each other. */
const placer =
  ({ length }: readonly Bucket[]) =>
  (place: number) =>
    left + ((place + 0.5) / length) * (right - left);

function lineThrough(
  values: readonly (number | undefined)[],
  x: (place: number) => number,
  y: (value: number) => number,
): string {
  let isDrawing = false;
  return values
    .map((value, place) => {
      if (value === undefined) {
        isDrawing = false;
        return '';
      }
      const point = `${x(place).toFixed(1)} ${y(value).toFixed(1)}`;
      // A point alone is a short stroke.
      const step = isDrawing ? `L${point}` : `M${point}h.1`;
      isDrawing = true;
      return step;
    })
    .join('');
}

const gridLine = (y: number, words: string, isBase: boolean): Html =>
  html`<line class="${isBase ? 'base' : 'grid'}" x1="${left}" x2="${right}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}"/><text x="${left - 4}" y="${(y + 4).toFixed(1)}" text-anchor="end">${words}</text>`;

const ends = (buckets: readonly Bucket[]): Html =>
  html`<text x="${left}" y="134">${buckets[0]?.label}</text><text x="${right}" y="134" text-anchor="end">${buckets.at(-1)?.label}</text>`;

const totalOf = (buckets: readonly Bucket[], side: 'now' | 'before'): Counts =>
  buckets.reduce((all, one) => sumOf(all, one[side]), nothing);
