/**
 * Stands in for an SDK of OpenTelemetry in the process of a test: keeps the spans that have ended. That a real SDK exports
 * them is shown in deploy/otel.
 */
import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  isSpanContextValid,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';

export interface RecordedSpan {
  name: string;
  attributes: Attributes;
  status: SpanStatus;
  /** Names of events, and messages of exceptions. */
  events: unknown[];
  context: SpanContext;
  parent: SpanContext | undefined;
}

export interface SpanRecorder {
  ended: () => readonly RecordedSpan[];
  /** Forgets the spans so far. */
  reset: () => void;
}

/** For the whole process, until `trace.disable()`. */
export function recordSpans(): SpanRecorder {
  let ended: RecordedSpan[] = [];
  const tracer = {
    startSpan: (name: string, options?: SpanOptions, above?: Context) =>
      startSpan(name, options, above, (span) => ended.push(span)),
  };
  // Nothing here makes its own spans active.
  trace.setGlobalTracerProvider({ getTracer: () => tracer as Tracer });
  return {
    ended: () => ended,
    reset: () => {
      ended = [];
    },
  };
}

/** Below the span of the context, if it has one; not recorded if that one is not sampled. */
function startSpan(
  name: string,
  { attributes = {}, root = false }: SpanOptions = {},
  above: Context | undefined,
  end: (span: RecordedSpan) => void,
): Span {
  const given = above === undefined || root ? undefined : trace.getSpanContext(above);
  const parent = given !== undefined && isSpanContextValid(given) ? given : undefined;
  const context: SpanContext = {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    traceFlags: parent?.traceFlags ?? TraceFlags.SAMPLED,
    ...(parent?.traceState === undefined ? {} : { traceState: parent.traceState }),
  };
  if ((context.traceFlags & TraceFlags.SAMPLED) === 0) return trace.wrapSpanContext(context);
  const recorded: RecordedSpan = {
    name,
    attributes: { ...attributes },
    status: { code: 0 },
    events: [],
    context,
    parent,
  };
  const span: Span = {
    spanContext: () => context,
    isRecording: () => true,
    updateName: (changed) => {
      recorded.name = changed;
      return span;
    },
    setAttribute: (key, value) => span.setAttributes({ [key]: value }),
    setAttributes: (more) => {
      Object.assign(recorded.attributes, more);
      return span;
    },
    setStatus: (status) => {
      recorded.status = status;
      return span;
    },
    addEvent: (...event) => {
      recorded.events.push(event);
      return span;
    },
    addLink: () => span,
    addLinks: () => span,
    recordException: (exception) => recorded.events.push(exception),
    end: () => end(recorded),
  };
  return span;
}
