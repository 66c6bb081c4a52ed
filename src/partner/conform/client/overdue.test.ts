/** Which runs of a client go on too long: slow ones do not, endless ones do. */
import { expect, test } from '@jest/globals';
import type { RecordedCall } from './exchange.ts';
import { type Allowance, whyOverdue } from './overdue.ts';

const start = Date.UTC(2026, 0, 1);
const allowance: Allowance = { patienceSeconds: 40, normalCalls: 4 };

const call = (seconds: number, key?: string, body = '{}'): RecordedCall => ({
  at: new Date(start + seconds * 1_000).toISOString(),
  method: 'POST',
  path: '/message/demo-sms',
  operation: 'sendSms',
  headers: key === undefined ? {} : { 'idempotency-key': key },
  body,
});

/** The first reason in a run that is watched every half second until `untilSeconds`. */
function firstReason(calls: RecordedCall[], untilSeconds: number, allowed = allowance): string | undefined {
  for (let nowMs = start; nowMs <= start + untilSeconds * 1_000; nowMs += 500) {
    const before = calls.filter(({ at }) => Date.parse(at) <= nowMs);
    const reason = whyOverdue(before, { startedMs: start, nowMs }, allowed);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Attempts of one request, with pauses that double. */
const attempts = (key: string, count: number, firstPause: number, from: number) =>
  Array.from({ length: count }, (_, index) => call(from + firstPause * (2 ** index - 1), key));

test.each([
  ['0.5 to 32 s', 0.5],
  ['1 to 64 s', 1],
  ['3 to 192 s', 3],
])('a client whose back-off takes %s may try seven times, for each of its messages', (_what, firstPause) => {
  const perMessage = firstPause * 63;
  const calls = ['k1', 'k2', 'k3'].flatMap((key, index) => attempts(key, 7, firstPause, index * perMessage));
  expect(firstReason(calls, 3 * perMessage)).toBeUndefined();
  expect(firstReason(calls, 3 * perMessage, { ...allowance, patienceSeconds: 1 })).toBeUndefined();
});

test('a command may work for a while before it calls', () => {
  expect(firstReason([call(95, 'k1')], 100)).toBeUndefined();
});

test('a command that calls no more and does not end is overdue', () => {
  expect(firstReason([call(5, 'k1')], 600)).toBe(
    'made no call for 110 s, which is the limit: 60 s, 40 s of --patience, and twice its longest pause',
  );
});

test.each([
  ['a key', 'k1'],
  ['no key', undefined],
])('a client that sends a request with %s without end is overdue', (_what, key) => {
  const calls = Array.from({ length: 100 }, (_, second) => call(second, key));
  expect(firstReason(calls, 600)).toBe('sent the same request 11 times, and 10 are allowed');
});

test('a client that changes key and body at each attempt is overdue', () => {
  const calls = Array.from({ length: 100 }, (_, second) => call(second, `k${second}`, `{"at":${second}}`));
  expect(firstReason(calls, 600)).toBe('made 81 calls, and 80 are allowed');
});
