/** Draws what happened to the messages of a channel minute by minute: readable without colours, with its numbers as a table. */
import { type Html, html } from '../../docs/render/html.ts';
import { axesOf, base, figure, keyOf, scaleTo } from '../layout/chart.ts';
import { table } from '../layout/parts.ts';
import type { ZonedTimes } from '../layout/times.ts';
import { deliveredPercent, percentWords } from '../pages/outcome-charts.ts';

export interface MinuteOfChannel {
  /** RFC 3339. */
  minute: string;
  accepted: number;
  delivered: number;
  failed: number;
}

export interface Chart {
  name: string;
  /** Those with messages, in order of time. */
  minutes: readonly MinuteOfChannel[];
  /** When the state of its connector changed, and how. */
  mark: { at: string; words: string } | undefined;
}

const minuteMs = 60_000;
/** What failed hangs from the base. */
const failedHeight = 28;

/** `from` and `to`: of the whole chart. */
export function chart(
  { name, minutes, mark }: Chart,
  { from, to }: { from: string; to: string },
  times: ZonedTimes,
): Html {
  const startMs = Date.parse(from);
  const count = Math.max(2, Math.round((Date.parse(to) - startMs) / minuteMs));
  const placeOf = (instant: string) => (Date.parse(instant) - startMs) / minuteMs;
  const all = Array.from({ length: count }, () => ({ accepted: 0, delivered: 0, failed: 0 }));
  for (const { minute, ...counts } of minutes) all[Math.round(placeOf(minute))] = counts;
  const { grid, line, x, below } = axesOf({
    places: count,
    to: scaleTo(Math.max(...all.map(({ accepted, delivered }) => Math.max(accepted, delivered)))),
  });
  const mostFailed = Math.max(...all.map(({ failed }) => failed));
  // The minute that runs is not over: it would draw a cliff.
  const running = count - 1;
  const over = all.slice(0, running);
  const sums = sumsOf(minutes);
  const quarters = all
    .map((_, place) => times.clock(new Date(startMs + place * minuteMs).toISOString()).slice(0, 5))
    .map((clock, place) => /:(00|15|30|45)$/.test(clock) && below(place, 168, clock));
  const markAt = mark && placeOf(mark.at);
  return figure({
    heading: name,
    now:
      minutes.length === 0
        ? 'No message'
        : `${sums.accepted.toLocaleString('en')} accepted · ${percentWords(deliveredPercent(sums))} delivered · ${sums.failed.toLocaleString('en')} failed`,
    words: `${name}, last ${count} minutes: ${sentenceOf(sums)} The table below has the numbers.`,
    height: 172,
    drawing: html`${grid}
<path class="delivered" d="${line(over.map(({ delivered }) => delivered))}V${base}H${x(0)}Z"/><path class="accepted" d="${line(over.map(({ accepted }) => accepted))}"/><path class="accepted running" d="${line(all.map(({ accepted }, place) => (place < running - 1 ? undefined : accepted)))}"/>
${
  mark !== undefined &&
  markAt !== undefined &&
  markAt >= 0 &&
  html`<line class="mark" x1="${x(markAt)}" x2="${x(markAt)}" y1="8" y2="146"/><text x="${x(markAt)}" y="11" text-anchor="${markAt > count / 2 ? 'end' : 'start'}">${mark.words}</text>`
}${
  mostFailed > 0 &&
  html`${below(0, base + failedHeight + 9, `up to ${mostFailed.toLocaleString('en')} failed`, 'start')}${all.map(
    ({ failed }, place) =>
      failed > 0 &&
      html`<rect class="failed" x="${Number(x(place)) - 1.6}" y="${base}" width="3.2" height="${((failed / mostFailed) * failedHeight).toFixed(1)}"/>`,
  )}`
}${quarters}
`,
    more: html`<details><summary>Numbers<span class="unseen"> of ${name}</span></summary>${table({
      caption: `${name}, minute by minute`,
      columns: [
        { name: 'Minute' },
        ...['Accepted', 'Delivered', 'Failed'].map((column) => ({ name: column, isNumber: true })),
      ],
      rows: minutes.map(({ minute, accepted, delivered, failed }) => [
        times.clock(minute).slice(0, 5),
        accepted,
        delivered,
        failed,
      ]),
      empty: 'No message in this time.',
    })}</details>`,
  });
}

/** What the looks of these charts mean. */
export const key = keyOf([
  ['line', 'accepted', 'Accepted: the line'],
  ['area', 'delivered', 'Delivered: the area'],
  ['hanging', 'failed', 'Failed: bars downwards, own scale'],
]);

function sumsOf(minutes: readonly MinuteOfChannel[]) {
  const sum = (name: 'accepted' | 'delivered' | 'failed') => minutes.reduce((all, one) => all + one[name], 0);
  return { accepted: sum('accepted'), delivered: sum('delivered'), failed: sum('failed') };
}

const sentenceOf = ({ accepted, delivered, failed }: ReturnType<typeof sumsOf>) =>
  `${accepted.toLocaleString('en')} accepted, ${delivered.toLocaleString('en')} delivered, ${failed.toLocaleString('en')} failed.`;
