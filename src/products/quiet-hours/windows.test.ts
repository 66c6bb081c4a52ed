/** Quiet hours: in every zone, at every time of a year, over the days on which clocks change. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sized } from '../../platform/sized-testing.ts';
import { createFindOpening, opensAt, type QuietHours } from './windows.ts';
import { countryOf, zonesOf } from './zones.ts';

const seed = Number(process.env.SEED);
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const rules: QuietHours = {
  country: 'ZA',
  mondayToFriday: '08:00-20:00',
  saturday: '09:00-13:00',
  sunday: null,
  holidays: ['2026-03-30', '2026-12-25', '2026-12-26'],
};

const zones = [
  // Their clocks change by an hour, by half an hour, backwards in summer, on other days, and at other times.
  'Europe/Paris',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'America/St_Johns',
];
const swedish = Object.fromEntries(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
);

/** By another way than the code's: the local time as Swedes write it, and the weekday of its date. */
function mayBeSent(zone: string, ms: number): boolean {
  const [date = '', time = ''] = swedish[zone]?.format(ms).split(' ') ?? [];
  if (rules.holidays.includes(date)) return false;
  const weekday = new Date(`${date}T12:00:00Z`).getUTCDay();
  if (weekday === 0) return false;
  return weekday === 6 ? time >= '09:00' && time < '13:00' : time >= '08:00' && time < '20:00';
}

describe.each(zones)('%s', (zone) => {
  test('from any time of a year: nothing outside a window, and never a minute later than it opens', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 365 * 24 * 60 * 60 - 1 }), (second) => {
        const fromMs = Date.UTC(2026, 0, 1) + second * 1_000;
        const opensMs = opensAt(rules, [zone], fromMs) ?? Number.NaN;
        expect(mayBeSent(zone, opensMs)).toBe(true);
        expect(opensMs).toBeGreaterThanOrEqual(fromMs);
        for (let ms = opensMs - 1; ms >= fromMs; ms -= 15 * minuteMs) expect(mayBeSent(zone, ms)).toBe(false);
      }),
      { numRuns: sized(60, 3_000), seed },
    );
  });
});

test('no window for weeks is none', () => {
  const never = { ...rules, mondayToFriday: null, saturday: null };
  expect(opensAt(never, ['UTC'], 0)).toBeUndefined();
  const find = createFindOpening([never], countryOf, zonesOf);
  expect(find('+27821234567', 0)).toBe(14 * dayMs);
});
