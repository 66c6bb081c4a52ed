/** The lines of a demo: one for each outcome, with a shortened number, and never a flood. */
import { beforeEach, expect, jest, test } from '@jest/globals';
import type { Events } from '../model/events.ts';
import type { ReachedState } from '../model/states.ts';
import { withOutcomeLines } from './outcomes.ts';

let lines: string[];
let nowMs: number;
let events: Events;

beforeEach(() => {
  lines = [];
  nowMs = 0;
  const logger = {
    info: (first: object | string, second?: string) =>
      lines.push(typeof first === 'string' ? first : (second ?? '')),
  };
  const plain = { stateReached: () => {}, receiptAttempted: () => {} } as unknown as Events;
  events = withOutcomeLines(plain, logger as never, { elapsedMs: () => nowMs });
});

const reached = (more: Partial<ReachedState>) =>
  events.stateReached({
    product: 'sms',
    state: 'Delivered',
    phone: '+254711000001',
    callbackUrl: null,
    ...more,
  } as ReachedState);

const body = JSON.stringify({
  type: 'DataDeliveryReceipt',
  phone: '+254711000001',
  deliveryStatus: 'Uncertain',
});

test('a final state without a receipt', () => {
  reached({});
  reached({ product: 'chatapp', state: 'Sent' });
  reached({ state: 'AbsentSubscriber', callbackUrl: 'http://127.0.0.1:4000/' });
  expect(lines).toEqual(['SMS to +254…01: Delivered']);
});

test('a receipt that was posted, and one that was not', () => {
  events.receiptAttempted('delivered', { body, status: 200, delaySeconds: 0 });
  events.receiptAttempted('again', { body, error: 'ECONNREFUSED', delaySeconds: 4.2 });
  expect(lines).toEqual([
    'Bundle to +254…01: Uncertain, receipt posted: 200',
    'Bundle to +254…01: Uncertain, receipt not posted: ECONNREFUSED, next attempt in 5 s',
  ]);
});

test('more than ten in a second are counted', () => {
  jest.useFakeTimers();
  for (let time = 0; time < 500; time += 1) reached({});
  expect(lines).toHaveLength(10);
  jest.runAllTimers();
  jest.useRealTimers();
  expect(lines.slice(10)).toEqual(['490 more outcomes']);
  nowMs = 1_000;
  reached({});
  expect(lines).toHaveLength(12);
});
