/** Which fault occurs: by operation, count and share. */
import { expect, test } from '@jest/globals';
import { testEvery } from '../../platform/for-every-testing.ts';
import { createFaults, type FaultyCall } from './faults.ts';
import { createRandom } from './random.ts';
import { secondsOf } from './time/duration.ts';

const call = (operation: string, more: Partial<FaultyCall> = {}): FaultyCall => ({
  operation,
  path: '/message/demo-sms',
  body: '{}',
  ...more,
});
const times = (count: number, run: () => unknown) => Array.from({ length: count }, run);

test('a fault occurs as often as it was asked for, for its operation only', () => {
  const faults = createFaults(Math.random);
  faults.add({ kind: 'serverError', operation: 'sendSms', times: 2 });
  expect(faults.ofCall(call('disburseMobileData'))).toBeUndefined();
  expect(times(3, () => faults.ofCall(call('sendSms'))?.kind)).toEqual([
    'serverError',
    'serverError',
    undefined,
  ]);
  expect(faults.list()).toMatchObject([{ fault: { kind: 'serverError' }, occurred: 2 }]);
});

test.each<[string, Partial<FaultyCall>, Partial<FaultyCall>]>([
  ['the same key', { idempotencyKey: 'k1', body: '1' }, { idempotencyKey: 'k1', body: '2' }],
  ['the same body', { idempotencyKey: 'k1', body: '1' }, { idempotencyKey: 'k2', body: '1' }],
])('a fault of one request occurs in calls with %s, and in no other', (_what, first, retry) => {
  const faults = createFaults(Math.random);
  faults.add({ kind: 'serverError', sameRequest: true });
  const kinds = [first, { idempotencyKey: 'other', body: 'other' }, retry].map(
    (one) => faults.ofCall(call('sendSms', one))?.kind,
  );
  expect(kinds).toEqual(['serverError', undefined, 'serverError']);
});

test('faults of calls and of receipts do not mix', () => {
  const faults = createFaults(Math.random);
  faults.add({ kind: 'duplicateReceipt' });
  expect([faults.ofCall(call('sendSms')), faults.ofReceipt()?.kind]).toEqual([undefined, 'duplicateReceipt']);
});

test('a share occurs in the same cases for the same seed', () => {
  const run = (seed: number) => {
    const faults = createFaults(createRandom(seed));
    faults.add({ kind: 'cutConnection', share: 0.3 });
    return times(200, () => faults.ofCall(call('sendSms')) !== undefined);
  };
  expect(run(7)).toEqual(run(7));
  expect(run(7)).not.toEqual(run(8));
  expect(run(7).filter(Boolean).length).toBeGreaterThan(30);
  expect(run(7).filter(Boolean).length).toBeLessThan(90);
});

testEvery([
  ['PT72H', 259_200],
  ['P2D', 172_800],
  ['P1W', 604_800],
  ['PT0.5S', 0.5],
  ['P1DT1H1M1S', 90_061],
])('%s is %s seconds', (duration, seconds) => {
  expect(secondsOf(duration)).toBe(seconds);
});
