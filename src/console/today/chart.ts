/** Draws what happened to the messages of a channel minute by minute: readable without colours, with its numbers as a table. */

import { type Html, html } from '../../docs/render/html.ts';
import { table } from '../layout/parts.ts';
import { scaleTo } from '../layout/scale.ts';
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
const left = 30;
const right = 284;
const base = 118;
const height = 104;
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
  const x = (place: number) => left + (place / (count - 1)) * (right - left);
  const all = Array.from(
    { length: count },
    (): Omit<MinuteOfChannel, 'minute'> => ({
      ...{ accepted: 0, delivered: 0, failed: 0 },
    }),
  );
  for (const { minute, ...counts } of minutes) all[Math.round(placeOf(minute))] = counts;
  const highest = scaleTo(Math.max(...all.map(({ accepted, delivered }) => Math.max(accepted, delivered))));
  const mostFailed = Math.max(...all.map(({ failed }) => failed));
  // The minute that runs is not over: it would draw a cliff.
  const over = all.slice(0, -1);
  const line = (places: typeof all, value: (one: (typeof all)[number]) => number, first = 0) =>
    places
      .slice(first)
      .map(
        (one, index) =>
          `${index === 0 ? 'M' : 'L'}${x(first + index).toFixed(1)} ${(base - (value(one) / highest) * height).toFixed(1)}`,
      )
      .join('');
  const sums = sumsOf(minutes);
  const words = sentenceOf(sums);
  const clock = (place: number) =>
    times.local(new Date(startMs + place * minuteMs).toISOString()).slice(11, 16);
  const quarters = all.map((_, place) => place).filter((place) => /:(00|15|30|45)$/.test(clock(place)));
  const markAt = mark && placeOf(mark.at);
  return html`<figure><figcaption><h3>${name}</h3><span class="now">${
    minutes.length === 0
      ? 'No message'
      : `${sums.accepted.toLocaleString('en')} accepted · ${percentWords(deliveredPercent(sums))} delivered · ${sums.failed.toLocaleString('en')} failed`
  }</span></figcaption><svg class="chart" viewBox="0 0 300 172" role="img" aria-label="${name}, last ${count} minutes: ${words} The table below has the numbers.">
${[0, highest / 2, highest].map((value) => {
  const y = base - (value / highest) * height;
  return html`<line class="${value === 0 ? 'base' : 'grid'}" x1="${left}" x2="${right}" y1="${y}" y2="${y}"/><text x="${left - 6}" y="${y + 4}" text-anchor="end">${value.toLocaleString('en')}</text>`;
})}
<path class="delivered" d="${line(over, ({ delivered }) => delivered)}L${x(over.length - 1).toFixed(1)} ${base}L${left} ${base}Z"/><path class="accepted" d="${line(over, ({ accepted }) => accepted)}"/><path class="accepted running" d="${line(all, ({ accepted }) => accepted, over.length - 1)}"/>
${
  mark !== undefined &&
  markAt !== undefined &&
  markAt >= 0 &&
  html`<line class="mark" x1="${x(markAt).toFixed(1)}" x2="${x(markAt).toFixed(1)}" y1="8" y2="146"/><text x="${x(markAt).toFixed(1)}" y="11" text-anchor="${markAt > count / 2 ? 'end' : 'start'}">${mark.words}</text>`
}${
  mostFailed > 0 &&
  html`<text x="${left}" y="${base + failedHeight + 9}">up to ${mostFailed.toLocaleString('en')} failed</text>${all.map(
    ({ failed }, place) =>
      failed > 0 &&
      html`<rect class="failed" x="${(x(place) - 1.6).toFixed(1)}" y="${base}" width="3.2" height="${((failed / mostFailed) * failedHeight).toFixed(1)}"/>`,
  )}`
}${quarters.map((place) => html`<text x="${x(place).toFixed(1)}" y="168" text-anchor="middle">${clock(place)}</text>`)}
</svg><details><summary>Numbers<span class="unseen"> of ${name}</span></summary>${table({
    caption: `${name}, minute by minute`,
    columns: [
      { name: 'Minute' },
      ...['Accepted', 'Delivered', 'Failed'].map((column) => ({ name: column, isNumber: true })),
    ],
    rows: minutes.map((one) => [
      times.local(one.minute).slice(11, 16),
      one.accepted,
      one.delivered,
      one.failed,
    ]),
    empty: 'No message in this time.',
  })}</details></figure>`;
}

function sumsOf(minutes: readonly MinuteOfChannel[]) {
  const sum = (name: 'accepted' | 'delivered' | 'failed') => minutes.reduce((all, one) => all + one[name], 0);
  return { accepted: sum('accepted'), delivered: sum('delivered'), failed: sum('failed') };
}

const sentenceOf = ({ accepted, delivered, failed }: ReturnType<typeof sumsOf>) =>
  `${accepted.toLocaleString('en')} accepted, ${delivered.toLocaleString('en')} delivered, ${failed.toLocaleString('en')} failed.`;
