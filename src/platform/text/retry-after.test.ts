/** How Retry-After is read. */
import { describe, expect, test } from '@jest/globals';
import { testEvery } from '../for-every-testing.ts';
import { retryAfterSeconds } from './retry-after.ts';

const nowMs = Date.UTC(2030, 0, 1, 12, 0, 0);

describe('seconds to wait', () => {
  testEvery([
    ['seconds', '120', 120],
    ['none', '0', 0],
    ['white space around', ' 7 ', 7],
    ['a day', '86400', 86_400],
    ['more than a day', '86401', 86_400],
    ['more than a number can hold', '9'.repeat(400), 86_400],
    ['a date', 'Tue, 01 Jan 2030 12:05:00 GMT', 300],
    ['a date as RFC 850 wrote it', 'Tuesday, 01-Jan-30 12:05:00 GMT', 300],
    ['a date as asctime writes it', 'Tue Jan  1 12:05:00 2030', 300],
    ['a date in the past', 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['a date beyond a day', 'Thu, 03 Jan 2030 12:00:00 GMT', 86_400],
  ])('%s', (_rule, header, seconds) => {
    expect(retryAfterSeconds(header, nowMs)).toBe(seconds);
  });

  test('part of a second is waited for', () => {
    expect(retryAfterSeconds('Tue, 01 Jan 2030 12:05:00 GMT', nowMs + 1)).toBe(300);
  });
});

testEvery(['', 'soon', '-5', '1.5', '1e3', '5 minutes', '2031-01-01', 'Monday, or so'])(
  'not a delay: %s',
  (header) => {
    expect(retryAfterSeconds(header, nowMs)).toBeUndefined();
  },
);
