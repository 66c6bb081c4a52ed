/** Shows times in the zone of the reader, and reads those that forms send. */
import { type Html, html } from '../../docs/render/html.ts';

export interface ZonedTimes {
  zone: string;
  /** Such as `23 Nov 2026, 08:15:20`, with UTC at hand. `instant` as the API writes it. */
  show: (instant: string) => Html;
  /** Such as `Monday 23 November 2026`. */
  day: (atMs: number) => string;
  /** For a field of the type `datetime-local`. */
  local: (instant: string) => string;
  /** The time of day, such as `08:15:20`. */
  clock: (instant: string) => string;
  /** What such a field sends, as an instant; undefined: it is not a time. */
  instantOf: (local: string) => string | undefined;
}

export function createTimes(zone: string): ZonedTimes {
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  const weekday = new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'full' });
  const numbers = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const wall = (atMs: number) => numbers.format(atMs).replace(' ', 'T');
  return {
    zone,
    show: (instant) => {
      const at = new Date(instant);
      return html`<time datetime="${instant}" title="${at.toISOString().slice(0, 19).replace('T', ' ')} UTC">${day.format(at)}, ${wall(at.getTime()).slice(11)}</time>`;
    },
    day: (atMs) => weekday.format(atMs).replace(',', ''),
    local: (instant) => wall(Date.parse(instant)),
    clock: (instant) => wall(Date.parse(instant)).slice(11),
    instantOf: (local) => {
      const asUtc = Date.parse(`${local}Z`);
      if (Number.isNaN(asUtc)) return undefined;
      // The zone is ahead of UTC by as much as its wall clock; around a change of it, the second look is the right one.
      const aheadMs = (atMs: number) => Date.parse(`${wall(atMs)}Z`) - atMs;
      const guess = asUtc - aheadMs(asUtc);
      return new Date(asUtc - aheadMs(guess)).toISOString();
    },
  };
}
