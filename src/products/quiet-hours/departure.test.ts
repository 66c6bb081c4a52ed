/** When messages leave: promotional ones when their window opens, others when they would anyhow. */
import { describe, expect, test } from '@jest/globals';
import type { PlannedMessage } from '../../model/plan.ts';
import { type Departing, departureOf, promiseOf, type Quiet } from './departure.ts';
import { createFindOpening } from './windows.ts';
import { countryOf, zonesOf } from './zones.ts';

const kenyan = '+254711000000';
const american = '+12025550123';
const daily = { mondayToFriday: '08:00-20:00', saturday: '08:00-20:00', sunday: '08:00-20:00', holidays: [] };
const quiet: Quiet = {
  find: createFindOpening(
    [
      { ...daily, country: 'KE' },
      { ...daily, country: 'US' },
    ],
    countryOf,
    zonesOf,
  ),
  validitySeconds: 24 * 3_600,
};

// 21:00 in Nairobi, 13:00 in New York, 08:00 in Honolulu.
const nowMs = Date.UTC(2026, 10, 23, 18);
const opening = '2026-11-24T05:00:00.000Z';

const departing = (more: Partial<Departing> = {}): Departing => ({
  category: 'MARKETING',
  service: { quietHours: true, validitySeconds: null },
  schedule: undefined,
  timeZone: undefined,
  nowMs,
  ...more,
});
const of = (more: Partial<Departing>, phone = kenyan) => departureOf(departing(more), quiet)(phone);

describe('a message at night', () => {
  test('waits for its window if it is promotional', () => {
    expect(of({})).toEqual({ sendAt: opening });
    expect(of({ category: 'UTILITY' })).toEqual({});
    expect(of({ category: 'AUTHENTICATION' })).toEqual({});
  });

  test('does not wait where its service does not, nor in countries without quiet hours', () => {
    expect(of({ service: { quietHours: false } })).toEqual({});
    expect(of({}, '+233241234567')).toEqual({});
  });

  test('that would expire before is queued, and expires there', () => {
    expect(of({ service: { quietHours: true, validitySeconds: 3_600 } })).toEqual({ expiresQuietly: true });
    const schedule = { sendAt: '2026-11-23T19:00:00.000Z', validUntil: '2026-11-24T05:00:00.000Z' };
    expect(of({ schedule })).toEqual({ sendAt: schedule.sendAt, expiresQuietly: true });
  });
});

test('a schedule that ends in quiet hours is put off; one that ends in a window is kept', () => {
  expect(of({ schedule: { sendAt: '2026-11-23T23:00:00.000Z' } })).toEqual({ sendAt: opening });
  const byDay = { sendAt: '2026-11-24T09:30:00.000Z' };
  expect(of({ schedule: byDay })).toEqual(byDay);
});

describe('in a country with several time zones', () => {
  // 22:00 in New York, 17:00 in Honolulu: from 18:00 UTC it is day in both.
  const late = Date.UTC(2026, 10, 24, 3);

  test('the window must be open in all of them', () => {
    expect(of({ nowMs: late }, american)).toEqual({ sendAt: '2026-11-24T18:00:00.000Z' });
  });

  test('the zone that the request names counts alone, if the country has it', () => {
    const inZone = (timeZone: string) => of({ nowMs: late, timeZone }, american);
    expect(inZone('Pacific/Honolulu')).toEqual({});
    expect(inZone('America/New_York')).toEqual({ sendAt: '2026-11-24T13:00:00.000Z' });
    expect(inZone('Africa/Nairobi')).toEqual({ sendAt: '2026-11-24T18:00:00.000Z' });
    expect(of({ timeZone: 'Pacific/Honolulu' })).toEqual({ sendAt: opening });
  });
});

describe('a response', () => {
  const message = (more: Partial<PlannedMessage>) => ({ held: false, ...more }) as PlannedMessage;
  const schedule = { sendAt: '2026-11-24T01:00:00.000Z' };

  test('says when the first message leaves, if none leaves at once', () => {
    const later = message({ sendAt: '2026-11-24T06:00:00.000Z' });
    expect(promiseOf(undefined, [later, message({ sendAt: opening })])).toEqual({ scheduledFor: opening });
    expect(promiseOf(undefined, [later, message({})])).toEqual({});
    expect(promiseOf(undefined, [message({ expiresQuietly: true })])).toEqual({});
  });

  test('says that a schedule was understood, unless every message expires before it may leave', () => {
    expect(promiseOf(schedule, [message({ ...schedule, expiresQuietly: true })])).toEqual({});
    expect(promiseOf(schedule, [message({ sendAt: opening })])).toEqual({ scheduledFor: opening });
    expect(promiseOf(schedule, [message({}), message({ sendAt: opening })])).toEqual({
      scheduledFor: schedule.sendAt,
    });
    expect(promiseOf(schedule, [message(schedule), message({ held: true })])).toEqual({
      scheduledFor: schedule.sendAt,
    });
  });
});
