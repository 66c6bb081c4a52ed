/** Decides when a receipt is retried. */
import type { PostOutcome } from '../callback/client.ts';

/** Delays after the first, second, … failed attempt. */
export const defaultScheduleSeconds = [
  5, 30, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
] as const;

const jitter = 0.2;

export type Next =
  | { kind: 'delivered' }
  /** The endpoint is gone (410). */
  | { kind: 'ended' }
  | { kind: 'again'; delaySeconds: number }
  | { kind: 'exhausted' };

/**
 * `attemptsMade` includes the one that ended in `outcome`; `random` is from 0 to 1. A rejected destination counts
 * as a failed attempt: its name may lead elsewhere tomorrow.
 */
export function nextAttempt(
  outcome: PostOutcome,
  attemptsMade: number,
  schedule: readonly number[],
  random: number,
): Next {
  if (outcome.kind === 'answered' && outcome.status >= 200 && outcome.status < 300)
    return { kind: 'delivered' };
  if (outcome.kind === 'answered' && outcome.status === 410) return { kind: 'ended' };
  const planned = schedule[attemptsMade - 1];
  if (planned === undefined) return { kind: 'exhausted' };
  const asked = outcome.kind === 'answered' ? (outcome.retryAfterSeconds ?? 0) : 0;
  const delaySeconds = planned * (1 - jitter + 2 * jitter * random);
  return { kind: 'again', delaySeconds: Math.max(delaySeconds, asked) };
}
