/** Each judge, on exchanges that are made up: what it finds, and what it lets pass. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../../platform/for-every-testing.ts';
import type { Exchange, RecordedCall } from './exchange.ts';
import {
  backsOff,
  doesNotRetry,
  givesUp,
  type Judge,
  meetsFault,
  renewsToken,
  reportsFailure,
  retriesWithSameKey,
  reusesToken,
  sendsKeys,
  sendsOnce,
  succeeds,
  timesOut,
  waitsFor,
} from './judges.ts';
import { clientSituations } from './situations.ts';

interface Made {
  /** Milliseconds since the first call. */
  at?: number;
  key?: string | undefined;
  token?: string;
  body?: string;
  fault?: RecordedCall['fault'];
  status?: number;
}

const send = ({
  at = 0,
  key = 'k1',
  token = 't1',
  body = 'b1',
  fault,
  status = 200,
}: Made = {}): RecordedCall => ({
  at: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
  method: 'POST',
  path: '/message/demo-sms',
  operation: 'sendSms',
  headers: { authorization: `Bearer ${token}`, ...(key === '' ? {} : { 'idempotency-key': key }) },
  body,
  status,
  ...(fault === undefined ? {} : { fault }),
});
const tokenCall: RecordedCall = { ...send(), path: '/oauth/token', operation: 'issueToken', headers: {} };
const exchange = (calls: RecordedCall[], more: Partial<Exchange> = {}): Exchange => ({
  calls,
  messages: 1,
  exitCode: 0,
  stopped: undefined,
  ...more,
});
const normal = exchange([tokenCall, send()]);
const found = (judge: Judge, calls: RecordedCall[], more: Partial<Exchange> = {}) =>
  judge(exchange(calls, more), normal);

const lost = send({ fault: 'lostResponse' });

testEvery<[string, Judge, RecordedCall[], Partial<Exchange>?]>([
  ['a retry with the same key', retriesWithSameKey, [lost, send({ at: 500 })]],
  ['a pause', backsOff, [lost, send({ at: 500 })]],
  ['one message', sendsOnce, [lost, send({ at: 500 })]],
  ['Retry-After', waitsFor(2), [send({ fault: 'tooManyRequests' }), send({ at: 1_950 })]],
  [
    'a new token',
    renewsToken,
    [tokenCall, send({ fault: 'expiredToken' }), tokenCall, send({ token: 't2' })],
  ],
  ['no retry', doesNotRetry, [send({ fault: 'badRequest', status: 400 }), send({ key: 'k2', body: 'b2' })]],
  ['a timeout', timesOut(10), [send({ fault: 'slowResponse' }), send({ at: 5_000 })]],
  ['keys of their own', sendsKeys, [send(), send({ key: 'k2' })]],
  ['a retry on a busy machine', sendsKeys, [send(), send({ at: 1_000 })]],
  ['one token', reusesToken, [tokenCall, send(), send({ key: 'k2' })]],
  ['one request with one token', reusesToken, [tokenCall, send()]],
  ['growing pauses', givesUp, [0, 400, 1_200, 3_000, 6_500].map((at) => send({ at }))],
  ['success', succeeds, []],
  ['failure', reportsFailure, [], { exitCode: 1 }],
  ['a fault', meetsFault, [lost]],
])('%s passes', (...[, judge, calls, more]) => {
  expect(found(judge, calls, more)).toEqual([]);
});

testEvery<[string, Judge, RecordedCall[], Partial<Exchange>?]>([
  ['The request was not retried.', retriesWithSameKey, [lost]],
  ['The request was retried with another Idempotency-Key.', retriesWithSameKey, [lost, send({ key: 'k2' })]],
  [
    'The request was retried without an Idempotency-Key.',
    retriesWithSameKey,
    [send({ key: '', fault: 'lostResponse' }), send({ key: '' })],
  ],
  ['The request was retried after 3 ms, without back-off.', backsOff, [lost, send({ at: 3 })]],
  ['1 message(s) were accepted as 2: recipients get duplicates.', sendsOnce, [], { messages: 2 }],
  ['Only 0 of 1 message(s) were accepted.', sendsOnce, [], { messages: 0 }],
  [
    'The request was retried after 0.5 s, though Retry-After was 2 s.',
    waitsFor(2),
    [send({ fault: 'tooManyRequests' }), send({ at: 500 })],
  ],
  [
    'The request was retried with the expired token.',
    renewsToken,
    [tokenCall, send({ fault: 'expiredToken' }), send({ at: 1 })],
  ],
  [
    'One token expired, and 2 new ones were requested.',
    renewsToken,
    [tokenCall, send({ fault: 'expiredToken' }), tokenCall, send({ token: 't2' }), tokenCall],
  ],
  [
    'The request was retried after 400.',
    doesNotRetry,
    [send({ fault: 'badRequest', status: 400 }), send({ key: 'k2' })],
  ],
  ['The client waited more than 10 s for a response.', timesOut(10), [send({ fault: 'slowResponse' })]],
  ['Requests have no Idempotency-Key.', sendsKeys, [send({ key: '' })]],
  ['Different requests have the same Idempotency-Key.', sendsKeys, [send(), send({ body: 'b2' })]],
  [
    '2 tokens were requested for 2 requests.',
    reusesToken,
    [tokenCall, send(), tokenCall, send({ key: 'k2' })],
  ],
  [
    'The request was sent 11 times.',
    givesUp,
    Array.from({ length: 11 }, (_, n) => send({ at: n ** 2 * 100 })),
  ],
  [
    'The pauses between retries do not grow: all take about 0.3 s.',
    givesUp,
    [0, 300, 605, 900].map((at) => send({ at })),
  ],
  ['The command failed (exit code 1).', succeeds, [], { exitCode: 1 }],
  ['The command was stopped: it made 9 calls.', succeeds, [], { exitCode: 1, stopped: 'made 9 calls' }],
  [
    'The command reports success (exit code 0), though a message was not accepted.',
    reportsFailure,
    [],
    { exitCode: 0 },
  ],
  ['The command was stopped: it made 9 calls.', reportsFailure, [], { exitCode: 1, stopped: 'made 9 calls' }],
  ['The command made no call that the fault could hit.', meetsFault, [send()]],
])('%s', (...[finding, judge, calls, more]) => {
  expect(found(judge, calls, more)).toEqual([finding]);
});

test('situations have names of their own, and each judges something', () => {
  const situations = clientSituations(40);
  expect(new Set(situations.map(({ name }) => name)).size).toBe(situations.length);
  expect(situations.filter(({ judges }) => judges.length === 0)).toEqual([]);
});
