/** The requests of one link that wait for their responses, each no longer than the response time-out. */
import type { Timers } from './timers.ts';

export interface Pending<Answer> {
  add: (sequence: number, onAnswer: (answer: Answer | undefined) => void) => void;
  /** False when nobody waits for it: it comes late or was never asked for. */
  answer: (sequence: number, answer: Answer) => boolean;
  /** Tells all who wait that no answer comes. */
  giveUp: () => void;
  count: () => number;
}

interface Waiting<Answer> {
  dueMs: number;
  onAnswer: (answer: Answer | undefined) => void;
}

export function createPending<Answer>(timers: Timers, timeoutMs: number): Pending<Answer> {
  // All wait equally long, so the first one in is the first one due: one timer serves all.
  const waiting = new Map<number, Waiting<Answer>>();
  let cancelTimer: (() => void) | undefined;

  const expire = () => {
    cancelTimer = undefined;
    const nowMs = timers.now();
    for (const [sequence, { dueMs, onAnswer }] of waiting) {
      if (dueMs > nowMs) {
        cancelTimer = timers.after(dueMs - nowMs, expire);
        return;
      }
      waiting.delete(sequence);
      onAnswer(undefined);
    }
  };

  return {
    add: (sequence, onAnswer) => {
      waiting.set(sequence, { dueMs: timers.now() + timeoutMs, onAnswer });
      cancelTimer ??= timers.after(timeoutMs, expire);
    },
    answer: (sequence, answer) => {
      const one = waiting.get(sequence);
      if (one === undefined) return false;
      waiting.delete(sequence);
      one.onAnswer(answer);
      return true;
    },
    giveUp: () => {
      cancelTimer?.();
      cancelTimer = undefined;
      const all = [...waiting.values()];
      waiting.clear();
      for (const { onAnswer } of all) onAnswer(undefined);
    },
    count: () => waiting.size,
  };
}
