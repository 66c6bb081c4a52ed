/** Which times a request can be sent at, to the millisecond, and which zones its recipients can be in. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../platform/for-every-testing.ts';
import { checkSchedule, checkTimeZone } from './schedule.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const nowMs = Date.UTC(2027, 0, 1);
const at = (ms: number) => new Date(nowMs + ms).toISOString();

const sendAt = '/schedule/sendAt must be 1 minute to 30 days from now.';
const order = '/schedule/validUntil must be later than sendAt.';
const validity = '/schedule/validUntil must be at most 14 days after sendAt.';

testEvery<[name: string, aheadMs: number, validMs: number | undefined, desc: string | undefined]>([
  ['exactly 1 minute ahead', minuteMs, undefined, undefined],
  ['less than 1 minute', minuteMs - 1, undefined, sendAt],
  ['exactly 30 days', 30 * dayMs, undefined, undefined],
  ['more than 30 days', 30 * dayMs + 1, undefined, sendAt],
  ['valid for a millisecond', dayMs, 1, undefined],
  ['valid until it is sent', dayMs, 0, order],
  ['valid for exactly 14 days', dayMs, 14 * dayMs, undefined],
  ['valid for more than 14 days', dayMs, 14 * dayMs + 1, validity],
])('%s', (_name, aheadMs, validMs, desc) => {
  const until = validMs === undefined ? {} : { validUntil: at(aheadMs + validMs) };
  const asked = { sendAt: at(aheadMs), ...until };
  const checked = () => checkSchedule(asked, nowMs);
  if (desc === undefined) expect(checked()).toEqual(asked);
  else expect(checked).toThrow(expect.objectContaining({ status: 400, slug: 'schedule-invalid', desc }));
});

test('a day that no calendar has is no time to send at', () => {
  expect(() => checkSchedule({ sendAt: '2027-01-32T00:00:00Z' }, nowMs)).toThrow(sendAt);
});

test('times are stored in UTC', () => {
  const asked = { sendAt: '2027-01-02T03:00:00+03:00', validUntil: '2027-01-02T03:00:00Z' };
  expect(checkSchedule(asked, nowMs)).toEqual({
    sendAt: '2027-01-02T00:00:00.000Z',
    validUntil: '2027-01-02T03:00:00.000Z',
  });
});

testEvery(['Africa/Wakanda', '+03:00', ''])('%j is no time zone', (zone) => {
  const desc = '/timeZone must be the name of a time zone, such as America/New_York.';
  expect(() => checkTimeZone(zone)).toThrow(expect.objectContaining({ status: 400, desc }));
});
