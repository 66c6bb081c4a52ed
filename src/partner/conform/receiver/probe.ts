/** Posts to a receiver as the service does, or with something wrong, and reads the receiver's count. */
import { request } from 'undici';
import { publishedSecrets } from '../../../demo/published-secrets.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { CallbackClient, PostOutcome } from '../../../receipts/callback/client.ts';
import { signingKeyOf, signReceipt } from '../../../receipts/callback/signature.ts';
import type { Sample } from './samples.ts';

/** What is unusual about a POST; without it, everything is right. */
export interface Posted {
  /** Seconds that its timestamp lies ahead. */
  aheadSeconds?: number;
  /** Signs in place of the receiver's own secret. */
  secret?: string;
  /** What is signed in place of the body. */
  signed?: string;
  /** Changes the headers. */
  headers?: (headers: Record<string, string>) => Record<string, string>;
}

export interface Probe {
  post: (sample: Sample, posted?: Posted) => Promise<PostOutcome>;
  /** How many posts took effect; undefined: the receiver does not say. */
  count: () => Promise<number | undefined>;
}

export interface ProbeOptions {
  client: Pick<CallbackClient, 'post'>;
  receiverUrl: string;
  countUrl: string | undefined;
  clock?: Clock;
}

export function createProbe({ client, receiverUrl, countUrl, clock = systemClock }: ProbeOptions): Probe {
  return {
    post: ({ id, body }, posted = {}) => {
      const { aheadSeconds = 0, secret, signed = body, headers } = posted;
      const timestampSeconds = Math.floor(clock.now() / 1_000) + aheadSeconds;
      const keys = [signingKeyOf(secret ?? publishedSecrets.signingSecret)];
      const usual = signReceipt({ id, timestampSeconds, body: signed, keys });
      return client.post(receiverUrl, headers === undefined ? usual : headers(usual), body);
    },
    count: async () => (countUrl === undefined ? undefined : readCount(countUrl)),
  };
}

/** A number, or JSON with a property `count`. */
async function readCount(url: string): Promise<number> {
  const { statusCode, body } = await request(url);
  const text = await body.text();
  const parsed: unknown = statusCode === 200 ? JSON.parse(text) : undefined;
  const count = typeof parsed === 'object' && parsed !== null && 'count' in parsed ? parsed.count : parsed;
  if (typeof count !== 'number')
    throw new Error(`${url} does not respond with a count: ${statusCode} ${text}`);
  return count;
}
