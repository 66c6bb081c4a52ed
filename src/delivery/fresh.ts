/** Looks again at what was decided about messages of a lot, before those leave that have waited for a window or a rate. */
import type { HandOver, LookAgain } from '../connectors/contract/connector.ts';
import { type FindOptedOut, optedOut } from '../products/consent/opt-out.ts';
import type { QueuedMessage } from './repository.ts';

/** What is asked about every lot before anything of it is submitted. */
export interface Decisions {
  findOptedOut: FindOptedOut;
  /** When windows open that are closed now, by the ids of those of the messages that wait for them. */
  findOpenings: (messages: readonly QueuedMessage[]) => Promise<ReadonlyMap<string, Date>>;
}

/** So long a decision holds: two seconds after a new opt-out, nothing leaves against it. */
export const freshMs = 1_000;

/** It is queued again, and scheduled when it is claimed. */
export const closedNow: HandOver = { kind: 'later', delaySeconds: 1 };

/**
 * One look-up for all that has not left, at most once a second; none while the last one is fresh. `lookedMs`: when it was last
 * looked, by `performance.now()`.
 */
export function createLookAgain(
  { findOptedOut, findOpenings }: Decisions,
  batch: readonly QueuedMessage[],
  lookedMs: number,
): LookAgain {
  const all = new Map(batch.map((message) => [message.id, message]));
  const waiting = new Map(all);
  let looking: Promise<void> | undefined;
  let decided = new Map<string, HandOver>();

  const look = async () => {
    const startedMs = performance.now();
    const messages = [...waiting.values()];
    const [unwanted, quiet] = [await findOptedOut(messages), await findOpenings(messages)];
    decided = new Map();
    for (const { id, unanswered } of messages)
      if (unwanted.has(id)) decided.set(id, optedOut);
      // One that its network did not answer for is not sent later: it may have arrived.
      else if (!unanswered && quiet.has(id)) decided.set(id, closedNow);
    lookedMs = startedMs;
  };

  return (id) => {
    if (performance.now() - lookedMs < freshMs) {
      const decision = decided.get(id);
      if (decision !== undefined) return Promise.resolve(decision);
      waiting.delete(id);
      return undefined;
    }
    const message = all.get(id);
    if (message !== undefined) waiting.set(id, message);
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking.then(() => decided.get(id));
  };
}
