/** Makes one attempt at a receipt: signs it, posts it, and decides what follows. */
import type { KeyObject } from 'node:crypto';
import type { Events } from '../../model/events.ts';
import type { Clock } from '../../platform/clock.ts';
import { fail, inSpan, type Span, SpanKind, traceHeadersOf } from '../../platform/tracing.ts';
import { callbackOriginOf } from '../callback/callback-url.ts';
import type { CallbackClient, PostOutcome } from '../callback/client.ts';
import { signReceipt } from '../callback/signature.ts';
import type { ClaimedReceipt, Origin } from './claim.ts';
import { type Next, nextAttempt } from './schedule.ts';
import { type UnstoredReceipt, unstored } from './unstored.ts';

export interface AttemptDependencies {
  client: CallbackClient;
  /** The keys of the client's signing secrets, at most two; undefined if one of them is unusable. */
  signingKeysOf: (clientId: string) => Promise<readonly KeyObject[] | undefined>;
  /** Delays between attempts, in seconds. */
  schedule: readonly number[];
  clock: Clock;
  /** From 0 to below 1: spreads retries. */
  random?: () => number;
  events: Pick<Events, 'receiptAttempted' | 'receiptUnsigned'>;
}

/** The outcome of one attempt. */
export interface Attempt extends Origin {
  receiptId: string;
  /** The receipt itself, if it has no row yet. */
  unstored?: UnstoredReceipt | undefined;
  /** For people: the origin that `originKey` stands for. */
  origin: string;
  state: 'Waiting' | 'Delivered' | 'Exhausted';
  /** When `state` is Waiting: seconds until the next attempt. */
  delaySeconds: number;
  /** Whether it counts as one of the attempts that a receipt has. */
  counts: boolean;
  /** The endpoint responded, and not with a server error; null: it was not called. */
  originWorks: boolean | null;
  /** As it is kept on the receipt's row. */
  entry: AttemptEntry;
}

export interface AttemptEntry {
  /** When it began. */
  at: string;
  latencyMs: number;
  /** Of the response; absent when there was none. */
  status?: number;
  /** Why there was no response. */
  error?: string;
  /** The beginning of the response's body. */
  response?: string;
}

/** A process with the wrong key signs nothing. It must not use up attempts that another one could sign. */
const unusableDelaySeconds = 60;

/** A receipt that cannot be signed is not posted: it waits like one whose endpoint is down. */
const unsigned: PostOutcome = { kind: 'failed', reason: 'no signing secret' };
const unusable: PostOutcome = { kind: 'failed', reason: 'unusable signing secret' };

export async function attempt(dependencies: AttemptDependencies, receipt: ClaimedReceipt): Promise<Attempt> {
  const { clock, events, schedule, random = Math.random } = dependencies;
  const at = new Date(clock.now()).toISOString();
  const startedMs = performance.now();
  const outcome = await inSpan(
    'callback',
    receipt.trace,
    async (span) => {
      const posted = await post(dependencies, receipt, span);
      if (span !== undefined) describe(span, receipt, posted);
      return posted;
    },
    { kind: SpanKind.CLIENT },
  );
  const latencyMs = Math.round(performance.now() - startedMs);
  const next = nextOf(outcome, receipt, schedule, random);
  const { id: receiptId, teamId, originKey, url, body } = receipt;
  const delaySeconds = next.kind === 'again' ? next.delaySeconds : 0;
  const result = resultOf(outcome);
  events.receiptAttempted(next.kind, { body, delaySeconds, ...result });
  return {
    receiptId,
    unstored: unstored(receipt),
    teamId,
    originKey,
    origin: callbackOriginOf(url)?.origin ?? '',
    state: states[next.kind],
    delaySeconds,
    counts: outcome !== unusable,
    originWorks: isUnsent(outcome) ? null : originWorks(outcome),
    entry: { at, latencyMs, ...result },
  };
}

function resultOf(outcome: PostOutcome): Pick<AttemptEntry, 'status' | 'error' | 'response'> {
  if (outcome.kind !== 'answered') return { error: outcome.reason };
  const { status, response } = outcome;
  return response === undefined ? { status } : { status, response };
}

function nextOf(
  outcome: PostOutcome,
  { attemptsMade }: ClaimedReceipt,
  schedule: readonly number[],
  random: () => number,
): Next {
  return outcome === unusable
    ? { kind: 'again', delaySeconds: unusableDelaySeconds }
    : nextAttempt(outcome, attemptsMade + 1, schedule, random());
}

/** It was never sent: the origin is not to blame. */
const isUnsent = (outcome: PostOutcome) => outcome === unsigned || outcome === unusable;

function describe(span: Span, { id, attemptsMade }: ClaimedReceipt, outcome: PostOutcome): void {
  span.setAttributes({
    'tarishi.receipt.id': id,
    'tarishi.attempt': attemptsMade + 1,
    ...(outcome.kind === 'answered'
      ? { 'http.response.status_code': outcome.status }
      : { 'error.type': outcome.reason }),
  });
  if (outcome.kind !== 'answered' || outcome.status >= 300) fail(span);
}

async function post(
  { signingKeysOf, clock, client, events }: AttemptDependencies,
  { id, clientId, url, body }: ClaimedReceipt,
  span: Span | undefined,
): Promise<PostOutcome> {
  const keys = await signingKeysOf(clientId);
  if (keys === undefined || keys.length === 0) {
    events.receiptUnsigned(id, clientId);
    return keys === undefined ? unusable : unsigned;
  }
  const timestampSeconds = Math.floor(clock.now() / 1000);
  const signed = signReceipt({ id, timestampSeconds, body, keys });
  return client.post(url, span === undefined ? signed : { ...signed, ...traceHeadersOf(span) }, body);
}

const states = {
  delivered: 'Delivered',
  ended: 'Exhausted',
  again: 'Waiting',
  exhausted: 'Exhausted',
} as const;

function originWorks(outcome: PostOutcome): boolean {
  return outcome.kind === 'answered' && (outcome.status < 300 || outcome.status === 410);
}
