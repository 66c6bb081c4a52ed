/** Posts a sample to a URL, signed like the client's receipts, and returns the outcome. */
import { type KeyObject, randomUUID } from 'node:crypto';
import type { Clock, Stopwatch } from '../platform/clock.ts';
import { errors } from '../platform/errors.ts';
import { originOf } from './callback/callback-url.ts';
import type { CallbackClient } from './callback/client.ts';
import type { Destinations } from './callback/destination.ts';
import { signReceipt } from './callback/signature.ts';

export interface SampleDependencies {
  client: Pick<CallbackClient, 'post'>;
  destinations: Pick<Destinations, 'urlRefusal'>;
  /** Undefined: they cannot be used. */
  signingKeysOf: (clientId: string) => Promise<readonly KeyObject[] | undefined>;
  /** The body of a receipt. */
  sample: () => object;
  clock: Clock & Stopwatch;
}

export interface SampleResult {
  /** The webhook-id. */
  receiptId: string;
  latencyMs: number;
  status?: number;
  error?: string;
  response?: string;
}

/** Rejects with 400 for a URL that no receiptRequest may have. */
export type PostSample = (clientId: string, url: string) => Promise<SampleResult>;

export function createPostSample({
  client,
  destinations,
  signingKeysOf,
  sample,
  clock,
}: SampleDependencies): PostSample {
  return async (clientId, url) => {
    if (originOf(url) === undefined) throw errors.invalidTestUrl();
    if (destinations.urlRefusal(url) !== undefined) throw errors.forbiddenTestAddress();
    const id = randomUUID();
    const keys = (await signingKeysOf(clientId)) ?? [];
    if (keys.length === 0) return { receiptId: id, latencyMs: 0, error: 'no signing secret' };
    const body = JSON.stringify(sample());
    const startedMs = clock.elapsedMs();
    const headers = signReceipt({ id, timestampSeconds: Math.floor(clock.now() / 1000), body, keys });
    const outcome = await client.post(url, headers, body);
    const latencyMs = Math.round(clock.elapsedMs() - startedMs);
    if (outcome.kind !== 'answered') return { receiptId: id, latencyMs, error: outcome.reason };
    const { status, response } = outcome;
    return { receiptId: id, latencyMs, status, ...(response === undefined ? {} : { response }) };
  };
}
