/** Traces messages on their way to the network and back: their claim, their submission and their reports. */
import type { HandOver } from '../connectors/contract/connector.ts';
import type { ReachedState } from '../model/states.ts';
import { fail, type Span, SpanKind, startSpan } from '../platform/tracing.ts';
import { type ClaimedJob, leaseSeconds } from '../queue/job.ts';
import type { QueuedMessage } from './repository.ts';

/** The claim of each request that a lot has messages of: from its statement until the messages are read. */
export function traceClaims(messages: readonly QueuedMessage[], jobs: readonly ClaimedJob<unknown>[]): void {
  const traces = new Map<string, { trace: string; messages: number }>();
  for (const { trace, requestId } of messages) {
    if (trace === null) continue;
    const known = traces.get(requestId);
    if (known === undefined) traces.set(requestId, { trace, messages: 1 });
    else known.messages += 1;
  }
  if (traces.size === 0) return;
  const startedMs = Math.min(...jobs.map(({ leaseEndsMs }) => leaseEndsMs)) - leaseSeconds * 1_000;
  for (const [requestId, { trace, messages: count }] of traces)
    startSpan('claim', trace, {
      kind: SpanKind.CONSUMER,
      startedMs,
      attributes: { 'tarishi.request.id': requestId, 'tarishi.messages': count },
    })?.end();
}

/** The hand-over of each message to its network. Call what is returned with the outcomes; undefined: none has a trace. */
export function traceSubmissions(
  connector: string,
  batch: readonly QueuedMessage[],
): ((outcomes: readonly HandOver[]) => void) | undefined {
  if (batch.every(({ trace }) => trace === null)) return undefined;
  const spans = batch.map(({ id, product, trace }) =>
    startSpan('submit', trace, {
      kind: SpanKind.CLIENT,
      attributes: {
        'tarishi.message.id': id,
        'tarishi.product': product,
        'tarishi.connector': connector,
      },
    }),
  );
  return (outcomes) => {
    for (const [place, span] of spans.entries()) if (span !== undefined) endSubmission(span, outcomes[place]);
  };
}

/** Without an outcome the connector failed, and the message is tried again. */
function endSubmission(span: Span, outcome: HandOver | undefined): void {
  span.setAttribute('tarishi.outcome', outcome?.kind ?? 'failed');
  if (outcome?.kind === 'rejected') span.setAttribute('tarishi.state', outcome.state);
  if (outcome?.kind !== 'accepted') fail(span);
  span.end();
}

/** What networks told: from its arrival, or from the query, until it is recorded. `startedMs`: by `performance.now()`. */
export function traceReports(reached: readonly ReachedState[], startedMs: number): void {
  for (const { trace, messageId, product, state } of reached)
    if (trace !== null)
      startSpan('report', trace, {
        kind: SpanKind.CONSUMER,
        startedMs,
        attributes: { 'tarishi.message.id': messageId, 'tarishi.product': product, 'tarishi.state': state },
      })?.end();
}
