/**
 * Spans of OpenTelemetry, and the W3C Trace Context that leads from one process to the next. Without an SDK nothing is
 * recorded, and what comes in as `traceparent` and `tracestate` is passed on unchanged.
 *
 * A trace is stored as its `traceparent`, and its `tracestate` after a space if it has one.
 */
import {
  type Attributes,
  context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { systemClock } from './clock.ts';

export { type Attributes, type Span, SpanKind };

/** Finds the SDK when the first span starts. */
const tracer = trace.getTracer('tarishi');

const server = { kind: SpanKind.SERVER };

/**
 * The span of a request that came in. Undefined: it has no trace, because it has no valid `traceparent` and no SDK
 * records it.
 */
export function startServerSpan(traceparent: string, tracestate = ''): Span | undefined {
  const caller = traceparent === '' ? undefined : spanContextOf(traceparent, tracestate);
  const active = context.active();
  // The instrumentation of an SDK may have started a span for the same request, below that of the caller.
  const parent =
    caller === undefined || trace.getSpan(active) !== undefined
      ? active
      : trace.setSpanContext(active, caller);
  const span = tracer.startSpan('HTTP', server, parent);
  return caller !== undefined || span.isRecording() ? span : undefined;
}

/** Runs `work` so that spans of other instrumentations, such as statements, belong to the span. */
export function within<Result>(span: Span, work: () => Result): Result {
  return context.with(trace.setSpan(context.active(), span), work);
}

/** What is known of a span when it starts: never a phone number or a text. */
export interface SpanFacts {
  kind?: SpanKind;
  attributes?: Attributes;
  /** When it began, by `performance.now()`; absent: now. */
  startedMs?: number;
}

/** A span below the one of the stored trace `parent`; undefined without a trace. Its caller ends it. */
export function startSpan(
  name: string,
  parent: string | null | undefined,
  { startedMs, ...options }: SpanFacts = {},
): Span | undefined {
  const above = parent ? spanContextOf(...splitOnce(parent)) : undefined;
  if (above === undefined) return undefined;
  // By the clock of now: that of the process's start may have been set since.
  const startTime =
    startedMs === undefined ? {} : { startTime: systemClock.now() - performance.now() + startedMs };
  return tracer.startSpan(name, { ...options, ...startTime }, trace.setSpanContext(ROOT_CONTEXT, above));
}

/** A span that begins a trace; undefined: no SDK records it. Its caller ends it. */
export function startTrace(name: string, facts: Omit<SpanFacts, 'startedMs'>): Span | undefined {
  const span = tracer.startSpan(name, facts, ROOT_CONTEXT);
  return span.isRecording() ? span : undefined;
}

/** The work as a span, which fails with it; just the work without a trace. */
export function inSpan<Result>(
  name: string,
  parent: string | null | undefined,
  work: (span: Span | undefined) => Promise<Result>,
  facts?: SpanFacts,
): Promise<Result> {
  const span = startSpan(name, parent, facts);
  if (span === undefined) return work(span);
  return within(span, () => work(span))
    .catch((error: unknown) => {
      fail(span);
      throw error;
    })
    .finally(() => span.end());
}

/** Why is left out: the messages of errors may quote numbers and texts. */
export function fail(span: Span): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Names the span as the parent of what another process does. */
export interface TraceHeaders {
  traceparent: string;
  /** At most 512 characters. */
  tracestate?: string;
}

export function traceHeadersOf(span: Span): TraceHeaders {
  const { traceId, spanId, traceFlags, traceState } = span.spanContext();
  const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
  const tracestate = traceState?.serialize();
  return tracestate ? { traceparent, tracestate } : { traceparent };
}

/** As it is stored, to be the parent of what another process does. */
export function traceOf(span: Span): string {
  return Object.values(traceHeadersOf(span)).join(' ');
}

function splitOnce(trace: string): [traceparent: string, tracestate: string] {
  const [traceparent = '', ...rest] = trace.split(' ');
  return [traceparent, rest.join(' ')];
}

const traceparentPattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:$|-)/;
const lengthOfVersion0 = 55;

/** Undefined: it is not valid, and a trace starts anew. Later versions may append fields. */
function spanContextOf(traceparent: string, tracestate: string): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = ''] = traceparentPattern.exec(traceparent) ?? [];
  if (version === undefined || version === 'ff') return undefined;
  if (version === '00' && traceparent.length !== lengthOfVersion0) return undefined;
  const found = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  if (!isSpanContextValid(found)) return undefined;
  return tracestate === '' ? found : { ...found, traceState: createTraceState(tracestate) };
}

const flushLimitMs = 1_000;

/** Has the SDK export what it still holds; waits at most a second for its collector. */
export async function flushSpans(): Promise<void> {
  const global: object = trace.getTracerProvider();
  // Not by its class: the SDK may have registered itself with a copy of the API of its own.
  const sdk: object =
    'getDelegate' in global && typeof global.getDelegate === 'function' ? global.getDelegate() : global;
  if (!('forceFlush' in sdk) || typeof sdk.forceFlush !== 'function') return;
  const flushed: Promise<unknown> = Promise.resolve(sdk.forceFlush()).catch(() => {});
  const limit = new Promise((resolve) => setTimeout(resolve, flushLimitMs).unref());
  await Promise.race([flushed, limit]);
}
