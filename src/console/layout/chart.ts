/** What all charts have: a scale that fits, its lines and words, the curves and bars on it, and the key of their looks. */
import { type Content, type Html, html } from '../../docs/render/html.ts';

const steps = [1, 1.2, 1.4, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10];

/** The highest number of a scale: little above the largest value, with a half that is a whole number. */
export function scaleTo(largest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(largest, 1)));
  const fitting = steps.map((step) => Math.round(step * power)).filter((one) => one % 2 === 0);
  return fitting.find((one) => one >= Math.max(largest, 2)) ?? 10 * power;
}

/** Where a scale of per cent up to 100 begins, so that what is drawn fills it. */
export const percentFrom = (smallest: number): number =>
  [98, 95, 90, 80, 50].find((one) => one <= smallest) ?? 0;

const [left, right, top] = [34, 292, 12];
/** Where the scale begins. */
export const base = 118;

export interface Scale {
  /** How many minutes, hours or days stand beside each other. */
  places: number;
  from?: number;
  to: number;
  words?: (value: number) => string;
}

export interface Axes {
  /** The middle of a place, so that bars and points of one time stand below each other. */
  x: (place: number) => string;
  /** The lines of the scale, with its numbers. */
  grid: Html;
  /** A curve; it is not drawn where a value is undefined. */
  line: (values: readonly (number | undefined)[]) => string;
  /** From `from` to `to` on the scale. */
  bar: (look: string, place: number, from: number, to: number) => Content;
  /** Words below a place. */
  below: (place: number, y: number, words: Content, anchor?: 'start' | 'middle' | 'end') => Html;
}

export function axesOf({ places, from = 0, to, words = (value) => value.toLocaleString('en') }: Scale): Axes {
  const y = (value: number) => rounded(base - ((value - from) / (to - from)) * (base - top));
  const step = (right - left) / places;
  const x = (place: number) => rounded(left + (place + 0.5) * step);
  const width = Math.max(1, step * 0.7);
  return {
    x,
    grid: html`${[from, (from + to) / 2, to].map(
      (value) =>
        html`<line class="${value === from ? 'base' : 'grid'}" x1="${left}" x2="${right}" y1="${y(value)}" y2="${y(value)}"/><text x="${left - 4}" y="${Number(y(value)) + 4}" text-anchor="end">${words(value)}</text>`,
    )}`,
    line: (values) =>
      values
        .map((value, place) => {
          if (value === undefined) return '';
          const point = `${x(place)} ${y(value)}`;
          // A point alone is a short stroke.
          return place === 0 || values[place - 1] === undefined ? `M${point}h.1` : `L${point}`;
        })
        .join(''),
    bar: (look, place, from, to) =>
      to > from &&
      html`<rect class="${look}" x="${rounded(Number(x(place)) - width / 2)}" y="${y(to)}" width="${rounded(width)}" height="${rounded(Number(y(from)) - Number(y(to)))}"/>`,
    below: (place, at, label, anchor = 'middle') =>
      html`<text x="${anchor === 'start' ? left : anchor === 'end' ? right : x(place)}" y="${at}" text-anchor="${anchor}">${label}</text>`,
  };
}

const rounded = (value: number) => value.toFixed(1);

export interface Figure {
  heading: Content;
  /** Its sums, beside the heading. */
  now: Content;
  /** For those who do not see it. */
  words: string;
  height: number;
  drawing: Content;
  /** Below the drawing. */
  more: Content;
}

export const figure = ({ heading, now, words, height, drawing, more }: Figure): Html =>
  html`<figure><figcaption><h3>${heading}</h3><span class="now">${now}</span></figcaption><svg class="chart" viewBox="0 0 300 ${height}" role="img" aria-label="${words}">
${drawing}</svg>${more}</figure>`;

const samples = {
  line: (look: string) => html`<path class="${look}" d="M0 8L7 4L13 7L20 3"/>`,
  area: (look: string) => html`<path class="${look}" d="M1 11V5l9-3 9 2v7z"/>`,
  bar: (look: string) => html`<rect class="${look}" x="4" width="12" height="12"/>`,
  hanging: (look: string) => html`<path class="${look}" d="M2 1h4v6H2zM8 1h4v10H8zM14 1h4v4h-4z"/>`,
};

/** What each look means, with a sample of it. */
export const keyOf = (
  rows: readonly (readonly [sample: keyof typeof samples, look: string, words: string])[],
): Html =>
  html`<ul class="key">${rows.map(
    ([sample, look, words]) =>
      html`<li><svg viewBox="0 0 20 12" aria-hidden="true" class="chart">${samples[sample](look)}</svg>${words}</li>`,
  )}</ul>`;
