/** Times are shown and read in the zone of the reader, also where its clocks change. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createTimes } from './times.ts';

test('a time is shown in the zone, with the instant for programs', () => {
  expect(createTimes('Africa/Nairobi').show('2026-11-23T22:15:20.104Z').text).toBe(
    '<time datetime="2026-11-23T22:15:20.104Z" title="2026-11-23 22:15:20 UTC">24 Nov 2026, 01:15:20</time>',
  );
});

describe('what a field sends is the instant that it shows', () => {
  testEvery([
    ['Africa/Nairobi', '2026-11-23T08:15:20.000Z'],
    ['Europe/Berlin', '2026-03-29T00:59:59.000Z'],
    ['Europe/Berlin', '2026-03-29T01:00:00.000Z'],
    ['America/New_York', '2026-11-01T07:30:00.000Z'],
    ['Asia/Kathmandu', '2026-06-01T18:20:00.000Z'],
    ['UTC', '2026-12-31T23:59:59.000Z'],
  ])('%s %s', (zone, instant) => {
    const times = createTimes(zone);
    expect(times.instantOf(times.local(instant))).toBe(instant);
  });

  test('and nothing, where it is no time', () => {
    expect(createTimes('UTC').instantOf('tomorrow')).toBeUndefined();
  });
});
