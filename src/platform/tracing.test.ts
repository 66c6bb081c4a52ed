/** What passes through without an SDK, and what a process exports as it ends. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { type Tracer, type TracerProvider, trace } from '@opentelemetry/api';
import { testEvery } from './for-every-testing.ts';
import { flushSpans, startServerSpan, startSpan, traceHeadersOf, traceOf } from './tracing.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanId = '00f067aa0ba902b7';
const valid = `00-${traceId}-${spanId}-01`;

describe('a traceparent, without an SDK', () => {
  testEvery([
    ['sampled', valid, valid],
    ['not sampled', `00-${traceId}-${spanId}-00`, `00-${traceId}-${spanId}-00`],
    ['of a later version, with more fields', `01-${traceId}-${spanId}-01-more`, valid],
  ])('%s: passes through', (_name, given, passedOn) => {
    const request = startServerSpan(given);
    expect(request && traceOf(request)).toBe(passedOn);
    const span = startSpan('submit', given);
    expect(span && traceHeadersOf(span)).toEqual({ traceparent: passedOn });
  });

  testEvery([
    ['absent', ''],
    ['of an invalid version', `ff-${traceId}-${spanId}-01`],
    ['with fields that version 00 does not have', `${valid}-more`],
    ['sent twice', `${valid}, ${valid}`],
    ['in capitals', valid.toUpperCase()],
    ['without a trace', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['without a span', `00-${traceId}-${'0'.repeat(16)}-01`],
  ])('%s: there is no trace', (_name, given) => {
    for (const state of [undefined, 'vendor=1']) expect(startServerSpan(given, state)).toBeUndefined();
    expect(startSpan('submit', given)).toBeUndefined();
  });
});

describe('a tracestate, without an SDK', () => {
  testEvery([
    ['of one system', 'vendor=t61rcWkgMzE', 'vendor=t61rcWkgMzE'],
    [
      'of several, in two headers',
      'rojo=00f067aa0ba902b7, congo=a space',
      'rojo=00f067aa0ba902b7,congo=a space',
    ],
    ['with one that is invalid', 'A=1,b=2', 'b=2'],
  ])('%s: passes through, stored or not', (_name, given, tracestate) => {
    const request = startServerSpan(valid, given);
    expect(request && traceHeadersOf(request)).toEqual({ traceparent: valid, tracestate });
    const span = startSpan('callback', request && traceOf(request));
    expect(span && traceHeadersOf(span)).toEqual({ traceparent: valid, tracestate });
  });

  testEvery([
    ['empty', ''],
    ['invalid', 'hello'],
    ['too long', `a=${'1'.repeat(255)},b=${'2'.repeat(255)}`],
  ])('%s: is left out', (_name, given) => {
    const request = startServerSpan(valid, given);
    expect(request && traceOf(request)).toBe(valid);
  });
});

describe('the end of a process', () => {
  afterEach(() => trace.disable());

  const register = (forceFlush: () => Promise<void>) =>
    trace.setGlobalTracerProvider({
      getTracer: (): Tracer => trace.getTracer('none'),
      forceFlush,
    } as TracerProvider);

  test('waits until the SDK has exported its spans', async () => {
    let exported = false;
    register(async () => {
      exported = true;
    });
    await flushSpans();
    expect(exported).toBe(true);
  });

  test('does not wait for a collector that is silent, or away', async () => {
    register(() => new Promise(() => {}));
    await flushSpans();
    trace.disable();
    register(async () => {
      throw new Error('connection refused');
    });
    await flushSpans();
  });
});
