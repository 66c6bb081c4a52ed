/** Requests that come all at once, more than the rate limit lets through. */
import { expect } from '@jest/globals';
import type { Answer } from '../service/api.ts';

/** Of so many sent together, only these pass, and the others get 429 with this sentence. */
export async function expectBurstLimited(
  send: () => Promise<Answer>,
  { sent, pass, sentence }: { sent: number; pass: number; sentence: string },
): Promise<void> {
  const startedMs = Date.now();
  const answers = await Promise.all(Array.from({ length: sent }, send));
  const tookMs = Date.now() - startedMs;
  const refused = answers.filter(({ status }) => status === 429);
  const accepted = answers.filter(({ status }) => status === 200);
  expect(refused.length + accepted.length).toBe(sent);
  // On a machine slow enough for the burst to last longer, more pass rightly.
  expect(accepted.length).toBeGreaterThanOrEqual(pass);
  if (tookMs < 950) expect(accepted).toHaveLength(pass);
  for (const { body, headers } of refused) {
    expect(body).toEqual({ error: 'rate_limit_exceeded', error_description: sentence });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  }
}
